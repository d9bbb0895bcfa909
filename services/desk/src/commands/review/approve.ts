import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { applyToEach, type ReviewAction, type ReviewOptions, reviewCommand } from './review-action.js';

interface Options extends ReviewOptions {
  publish?: boolean;
  reason: string;
}

export function addReviewApprove(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(parent, 'approve', 'accept stories or prompt replies that wait for review')
    .option('--publish', 'put them into the catalog in the same step; their humans get a mail')
    .addOption(noteOption())
    .action(
      handle(async (session, words: string[], options: Options) =>
        applyToEach(session, words, options, approveAction(options.publish ?? false, options.reason)),
      ),
    );
  addExamples(command, 'review approve ID --publish', 'review approve ID ID ID --reason "good, after the holidays"');
}

export function approveAction(publish: boolean, reason: string): ReviewAction {
  return {
    verb: publish ? 'Approve and publish' : 'Approve',
    warning: 'Everybody can read it at once.',
    mail: publish ? { kind: 'published', text: '' } : undefined,
    apply: (moderation, request, call) => moderation.approveContribution({ ...request, publish, reason }, call),
  };
}
