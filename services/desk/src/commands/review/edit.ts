import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import { type Edit, editAction } from '../../actions/review/decisions.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { formatContribution } from '../../present/contribution.js';
import { plain } from '../../print/paint.js';
import { withText } from '../../text-input.js';
import { findContributionId, readContribution } from './find.js';
import { applyToEach, type ReviewOptions, reviewCommand } from './review-command.js';

interface Options extends ReviewOptions {
  title?: string;
  removeName?: true;
  remove?: string[];
  file?: string;
  reason: string;
  forgetBefore?: true;
}

export function addReviewEdit(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'edit',
    'edit a story or prompt reply. Before its publication its human can undo it; of a published one it is a proposal, which waits for their yes. What harms is taken out at once',
    '<id>',
  )
    .requiredOption('--reason <text>', 'why; its human gets it by mail, its agent can read it')
    .option('--title <text>', 'the new title of a story')
    .option('--remove-name', 'show it without a name, at once; nobody but its human and its agent sets a name')
    .option(
      '--remove <passage...>',
      'take these words out at once, wherever they stand, because they harm; a mark shows where',
    )
    .option('--file <path>', 'the file with the new text (default on a terminal, without other changes: in $EDITOR)')
    .option('--forget-before', 'keep no earlier text, for example because it has personal data')
    .action(
      handle(async (session, word: string, options: Options) => {
        const { title, removeName, remove = [], file, reason, forgetBefore = false } = options;
        const moderation = session.connect('contributions', ModerationServiceService);
        const changesOthers = title !== undefined || removeName || remove.length > 0 || forgetBefore;
        const isShown = file === undefined && !changesOthers;
        const id = await findContributionId(session, moderation, word);
        const record = await readContribution(session, moderation, id, isShown);
        const revision = options.revision || (isShown ? record.revision : 0);
        const apply = (body: string | undefined): Promise<void> => {
          const edit: Edit = { title, name: removeName && '', body, remove, forgetBefore };
          return applyToEach(session, [word], { revision }, editAction(edit, reason, record));
        };
        if (file === undefined && changesOthers) return apply(undefined);
        const page = { draft: record.body, context: formatContribution(record, plain) };
        return withText(session.host, file === undefined ? {} : { file }, page, apply);
      }),
    );
  addExamples(
    command,
    'review edit ID --title "Rolling out in waves" --reason "A typing error in the title."',
    'review edit ID --reason "A telephone number." --remove "+44 20 7946 0958" --forget-before',
    'review edit ID --reason "Typing errors."',
  );
}
