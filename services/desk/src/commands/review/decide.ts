import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type DecisionName, decisions } from '@knowledge/runtime/product';
import type { Command } from 'commander';
import { type DecisionTexts, decisionAction, type Edit, editAction } from '../../actions/review/decisions.js';
import { groupLimits } from '../../actions/review/records.js';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { noteOption } from '../../options.js';
import { formatContribution } from '../../present/contribution.js';
import { count } from '../../print/count.js';
import { plain } from '../../print/paint.js';
import type { Session } from '../../session.js';
import { type TextOptions, withText } from '../../text-input.js';
import { findContributionId, findContributions, readContribution } from './find.js';
import { applyToEach, decideEach, holdOption, type ReviewOptions, reviewCommand } from './review-command.js';

/** The help of a decision. Everything else follows from the table of decisions. */
interface DecisionHelp {
  readonly about: string;
  /** What the reason is for; if it is absent, only moderators see the reason. */
  readonly reason?: string;
  readonly examples: readonly string[];
}

type Named = Exclude<DecisionName, 'approve_and_publish' | 'answer'>;

const help: Readonly<Record<Named, DecisionHelp>> = {
  approve: {
    about: 'accept stories or prompt replies that wait for review',
    examples: [
      'review approve ID --publish',
      'review approve ID --publish --hold',
      'review approve ID ID ID --reason "good, after the holidays"',
    ],
  },
  publish: {
    about: 'put approved or retracted contributions into the catalog; their humans get a mail',
    examples: ['review publish ID'],
  },
  retract: {
    about: 'take published contributions out of the catalog',
    reason: 'why; its human gets it by mail',
    examples: ['review retract ID --reason "names a customer"', 'review retract ID --reason … --yes'],
  },
  request_changes: {
    about: 'ask for a new text of contributions that wait for review; without one they are withdrawn after 30 days',
    reason: 'which changes are needed; its human gets it by mail, its agent can read it',
    examples: ['review request-changes ID --reason "Please leave out the name of the client."'],
  },
  reject: {
    about: 'reject contributions that wait for review or a new text, or are approved',
    reason: 'why; its human gets it by mail',
    examples: [
      'review reject ID --reason "It is an advertisement."',
      'review reject ID ID ID --reason "It is an advertisement." --yes',
    ],
  },
  reopen: {
    about: 'let rejected contributions and closed inquiries wait for a decision again; their humans get a mail',
    examples: ['review reopen ID'],
  },
  close: {
    about: 'close inquiries without an answer',
    reason: 'why; its human gets it by mail, and its agent can read it',
    examples: [
      'review close ID --reason "We answer questions about practice only."',
      'review close ID --reason "This was answered before." --note "the third time this week"',
    ],
  },
};

interface DecisionOptions extends ReviewOptions, DecisionTexts {
  readonly publish?: boolean;
}

/** Adds the command of a decision. Those that make texts public ask whether the user has seen them. */
export function addDecision(parent: Command, handle: CommandHandler, name: Named): void {
  const { about, reason, examples } = help[name];
  const { isOptional, hasNote, isHeld } = decisions[name];
  const makesPublic = name === 'approve' || name === 'publish';
  const command = reviewCommand(parent, name.replace('_', '-'), about);
  if (name === 'approve') {
    command.option('--publish', 'put them into the catalog in the same step; their humans get a mail');
  }
  if (makesPublic) command.option('--unseen', 'with several ids: also those that were never shown to you');
  if (reason === undefined) command.addOption(noteOption());
  else if (isOptional) command.option('--reason <text>', reason, '');
  else command.requiredOption('--reason <text>', reason);
  if (hasNote) command.option('--note <text>', 'a note that only moderators see', '');
  if (isHeld) command.addOption(holdOption());
  command.action(
    handle(async (session, words: string[], { reason, note, publish, ...options }: DecisionOptions) => {
      const action = decisionAction(publish ? 'approve_and_publish' : name, { reason, note });
      await applyToEach(session, words, { unseen: !makesPublic, ...options }, action);
    }),
  );
  addExamples(command, ...examples);
}

/** Adds the command that answers an inquiry. */
export function addAnswer(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'answer',
    'answer an inquiry; its human gets the answer by mail, its agent from the API. An answered inquiry gets a corrected answer',
    '<id>',
  )
    .option('--text <text>', 'the answer; - reads it from standard input')
    .option('--file <path>', 'the file with the answer (default on a terminal: write it in $EDITOR)')
    .addOption(holdOption())
    .action(
      handle(async (session, word: string, options: ReviewOptions & TextOptions) => {
        const given = options.text ?? options.file;
        const context = given === undefined ? await answeredWords(session, word) : '';
        await withText(session.host, options, { context }, (text) =>
          applyToEach(session, [word], options, decisionAction('answer', { text })),
        );
      }),
    );
  addExamples(
    command,
    'review answer ID --text "The figures are in the second table."',
    'review answer ID --file answer.txt',
    'review answer ID',
  );
}

/** What the editor shows below the answer. */
async function answeredWords(session: Session, word: string): Promise<string> {
  const moderation = session.connect('contributions', ModerationServiceService);
  const id = await findContributionId(session, moderation, word);
  const { body, answer } = await readContribution(session, moderation, id);
  return answer === null ? body : `${body}\n\nThe answer so far:\n\n${answer}`;
}

interface EditOptions extends ReviewOptions {
  title?: string;
  removeName?: true;
  remove?: string[];
  file?: string;
  reason: string;
  forgetBefore?: true;
}

export function addEdit(parent: Command, handle: CommandHandler): void {
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
      handle(async (session, word: string, options: EditOptions) => {
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

export function addUndo(parent: Command, handle: CommandHandler): void {
  const command = reviewCommand(
    parent,
    'undo',
    'take back held decisions before they take effect, also those of others',
    '[id...]',
  )
    .option('--group <id>', 'all decisions of this group, in place of ids')
    .action(
      handle(async (session, words: string[], { revision, group: groupId }: ReviewOptions & { group?: string }) => {
        const moderation = session.connect('contributions', ModerationServiceService, groupLimits);
        if ((groupId === undefined) === (words.length === 0)) throw new UsageError('Give ids, or --group.');
        if (groupId !== undefined) {
          const all = { id: '', expectedRevision: 0, groupId };
          const { undone = 0 } = await moderation.undoDecision(all, session.callContext());
          session.print.result({ undone }, () => `${count(undone, 'decision')} undone; the texts wait again.`);
          return;
        }
        const found = await findContributions(session, moderation, words);
        await decideEach(
          session,
          found,
          revision,
          (named) => moderation.undoDecision(named, session.callContext()),
          ({ id_at_revision: id, state }) => `The decision is undone; ${id} is ${state.replace('_', ' ')}.`,
        );
      }),
    );
  addExamples(command, 'review undo ID', 'review undo --group GROUP');
}
