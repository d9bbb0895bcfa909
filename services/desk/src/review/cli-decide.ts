import { isUuid } from '@knowledge/runtime/client';
import { type DecisionName, decisions, inputNames, type LineName, lineNames, rules } from '@knowledge/runtime/product';
import { UsageError } from '../base/desk-error.js';
import { idAtHelp, idsAtHelp, readAtRevision } from '../base/ids.js';
import type { Session } from '../base/session.js';
import { count, plain, words } from '../base/text.js';
import {
  applyToEach,
  decideEach,
  findContributionId,
  findContributions,
  groupModeration,
  holdFlag,
  type ReviewOptions,
  readContribution,
  revision,
} from '../contributions/cli-find.js';
import { formatContribution } from '../contributions/contribution.js';
import { type DecisionTexts, decisionAction, type Edit, editAction } from '../contributions/decisions.js';
import { withText } from '../terminal/ask.js';
import { type AddCommands, command } from '../terminal/command-table.js';
import { reason, requiredReason, type Takes } from '../terminal/options.js';

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
    about: 'accept public texts that wait for review',
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
    about: `ask for a new text of contributions that wait for review; without one they are withdrawn after ${rules.changesDays} days`,
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
  readonly id: string[];
  readonly publish?: boolean;
}

/** The command of a decision. Those that make texts public ask whether the user has seen them. */
export function decision(name: Named): AddCommands {
  const { about, reason: reasonHelp, examples } = help[name];
  const { inputs, isHeld } = decisions[name];
  const makesPublic = name === 'approve' || name === 'publish';
  const takes: Takes = {
    '<id...>': idsAtHelp,
    ...revision,
    ...(name === 'approve' && { '--publish': 'put them into the catalog in the same step; their humans get a mail' }),
    ...(makesPublic && { '--unseen': 'with several ids: also those that were never shown to you' }),
    ...reason('why, stored with the change; only moderators see it'),
    ...Object.fromEntries(
      inputs.map(({ name, label, isNeeded }) => {
        const about = (name === 'reason' && reasonHelp) || label;
        return [`--${name} <text>`, isNeeded ? { about, required: true } : { about, initial: '' }];
      }),
    ),
    ...(isHeld && holdFlag),
  };
  return command({
    about,
    takes,
    run(session, given) {
      const { id, publish, ...options } = given as DecisionOptions;
      const texts = Object.fromEntries(inputNames.map((input) => [input, options[input]]));
      const action = decisionAction(publish ? 'approve_and_publish' : name, texts);
      return applyToEach(session, id, { unseen: !makesPublic, ...options }, action);
    },
    examples,
  });
}

export const answer = command({
  about:
    'answer an inquiry; its human gets the answer by mail, its agent from the API. An answered inquiry gets a corrected answer',
  takes: {
    '<id>': idAtHelp,
    ...revision,
    '--text <text>': 'the answer; - reads it from standard input',
    '--file <path>': 'the file with the answer (default on a terminal: write it in $EDITOR)',
    ...holdFlag,
  },
  async run(session, { id, text, file, ...options }) {
    const context = (text ?? file) === undefined ? await answeredWords(session, id) : '';
    await withText(session.host, { text, file }, { context }, (text) =>
      applyToEach(session, [id], options, decisionAction('answer', { text })),
    );
  },
  examples: [
    'review answer ID --text "The figures are in the second table."',
    'review answer ID --file answer.txt',
    'review answer ID',
  ],
});

/** What the editor shows below the answer. */
async function answeredWords(session: Session, word: string) {
  const { body, answer } = await readContribution(session, await findContributionId(session, word));
  return answer === null ? body : `${body}\n\nThe answer so far:\n\n${answer}`;
}

const newLines = Object.fromEntries(
  lineNames.map((name) => [`--${name} <text>`, `the new ${name}, where there is one`]),
) as Record<`--${LineName} <text>`, string>;

export const edit = command({
  about:
    'edit a public text. Before its publication its human can undo it; of a published one it is a proposal, which waits for their yes. What harms is taken out at once',
  takes: {
    '<id>': idAtHelp,
    ...revision,
    ...requiredReason('why; its human reads it in the mail of the publication or of the proposal, its agent at once'),
    ...newLines,
    '--remove-name': 'show it without a name, at once; nobody but its human and its agent sets a name',
    '--remove <passage...>': 'take these words out at once, wherever they stand, because they harm; a mark shows where',
    '--file <path>': 'the file with the new text (default on a terminal, without other changes: in $EDITOR)',
    '--forget-before': 'keep no earlier text, for example because it has personal data',
  },
  async run(session, { id: word, removeName, remove = [], file, reason, forgetBefore, ...named }) {
    const changesOthers =
      lineNames.some((name) => named[name] !== undefined) || removeName || remove.length > 0 || forgetBefore;
    const isShown = file === undefined && !changesOthers;
    const id = await findContributionId(session, word);
    const record = await readContribution(session, id, isShown);
    const revision = named.revision || readAtRevision(word).revision || (isShown ? record.revision : 0);
    const apply = (body: string | undefined) => {
      const edit: Edit = { ...named, name: removeName ? '' : undefined, body, remove, forgetBefore };
      return applyToEach(session, [named.revision ? word : id], { revision }, editAction(edit, reason, record));
    };
    if (file === undefined && changesOthers) return apply(undefined);
    const page = { draft: record.body, context: formatContribution(record, plain) };
    return withText(session.host, file === undefined ? {} : { file }, page, apply);
  },
  examples: [
    'review edit ID --title "Rolling out in waves" --reason "A typing error in the title."',
    'review edit ID --reason "A telephone number." --remove "+44 20 7946 0958" --forget-before',
    'review edit ID --reason "Typing errors."',
  ],
});

export const undo = command({
  about: 'take back held decisions before they take effect, also those of others',
  takes: {
    '[id...]': idsAtHelp,
    ...revision,
    '--group <id>': 'all decisions of this group, in place of ids',
  },
  async run(session, { id: ids, revision, group: groupId }) {
    const { undoDecision } = groupModeration(session);
    if ((groupId === undefined) === (ids.length === 0)) throw new UsageError('Give ids, or --group.');
    if (groupId !== undefined) {
      if (!isUuid(groupId)) throw new UsageError('Give the whole id of the group, as "review groups" prints it.');
      const { undone = 0 } = await undoDecision({ id: '', expectedRevision: 0, groupId });
      session.print.result({ undone }, () => `${count(undone, 'decision')} undone; the texts wait again.`);
      return;
    }
    const found = await findContributions(session, ids);
    await decideEach(
      session,
      found,
      revision,
      undoDecision,
      ({ id_at_revision: id, state }) => `The decision is undone; ${id} is ${words(state)}.`,
    );
  },
  examples: ['review undo ID', 'review undo --group GROUP'],
});
