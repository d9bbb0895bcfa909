import { randomUUID } from 'node:crypto';
import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { bounds } from '@knowledge/runtime/product';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { parseTime, siteOption } from '../../options.js';
import { presentPrompt } from '../../present/prompt.js';
import { requireField } from '../../present/require-field.js';
import { readableTime } from '../../print/time.js';
import { sites } from '../../words.js';
import { confirmOpening } from './confirm-opening.js';

interface Options {
  site: string;
  question: string;
  opensAt?: Date;
  closesAt?: Date;
  activate?: boolean;
}

export function addPromptCreate(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('create')
    .description('create a prompt: scheduled, or active at once with --activate')
    .addOption(siteOption().makeOptionMandatory())
    .requiredOption('--question <text>', `${bounds.question.min} to ${bounds.question.max} characters`)
    .option('--opens-at <time>', 'the time at which it opens by itself (RFC 3339, or a date)', parseTime)
    .option('--closes-at <time>', 'the time at which it closes by itself', parseTime)
    .option('--activate', "open it now; the site's active prompt is closed in the same step")
    .action(
      handle(async (session, { site, question, opensAt, closesAt, activate = false }: Options) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const request = { id: randomUUID(), site: sites.toWire(site), question, opensAt, closesAt, activate };
        if (activate) await confirmOpening(session, prompts, request.site);
        const { prompt } = await prompts.createPrompt(request, session.callContext());
        session.print.result(presentPrompt(requireField(prompt)), ({ id, state, opens_at }) => {
          const when = state === 'scheduled' && opens_at !== null ? `, opens ${readableTime(opens_at)} UTC` : '';
          return `Prompt ${id} on ${site} is ${state}${when}.`;
        });
      }),
    );
  addExamples(
    command,
    'prompt create --site org --question "Which rollout did you stop, and what told you to?" --activate',
    'prompt create --site org --question "What did you switch off this year?" --opens-at 2027-01-04 --closes-at 2027-02-01',
  );
}
