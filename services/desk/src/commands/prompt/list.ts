import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import { presentPrompt, promptColumns, promptStates } from '../../present/prompt.js';
import { sites } from '../../words.js';

interface Options {
  site?: string;
  state?: string;
  limit?: number;
}

export function addPromptList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list prompts, newest first')
    .addOption(siteOption('only this site'))
    .addOption(new Option('--state <state>', 'only this state').choices(promptStates.words))
    .addOption(limitOption())
    .action(
      handle(async (session, { site, state, limit }: Options) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const filter = { site: sites.toWire(site), state: promptStates.toWire(state) };
        const found = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await prompts.listPrompts({ ...filter, pageSize, pageToken }, session.callContext());
          return { items: page.prompts, nextPageToken: page.nextPageToken };
        });
        session.print.list(found.items.map(presentPrompt), promptColumns, { one: 'prompt', cut: found.cut });
      }),
    );
  addExamples(command, 'prompt list --site org', 'prompt list --state active --json');
}
