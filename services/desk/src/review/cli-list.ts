import { bounds, rules } from '@knowledge/runtime/product';
import { InvalidArgumentError } from 'commander';
import { contributionStates, contributionTypes, inquiryPurposes, titleOf, typeOf } from '../base/contribution-words.js';
import { DeskError, UsageError } from '../base/desk-error.js';
import { atRevision, shortId } from '../base/ids.js';
import { presented } from '../base/presented.js';
import { type Columns, stateColumn } from '../base/table.js';
import { count, words } from '../base/text.js';
import { age } from '../base/time.js';
import { sites } from '../base/words.js';
import { groupModeration, moderation } from '../contributions/cli-find.js';
import { type ContributionView, presentContribution, unusualOf } from '../contributions/contribution.js';
import {
  commonWords,
  type GroupView,
  presentGroup,
  readGroup,
  recordFilter,
  recordOrders,
  ruleHint,
} from '../contributions/records.js';
import { confirm } from '../terminal/ask.js';
import { command, readListPages } from '../terminal/command-table.js';
import { filled, type Given, limit, parseTime, requiredReason, site } from '../terminal/options.js';

/** The options with which moderators select contributions. */
const filterOptions = {
  '--state <state...>': { about: 'in one of these states', choices: contributionStates.words },
  '--all': { about: 'in any state', conflicts: 'state' },
  '--type <type...>': { about: 'only these types', choices: contributionTypes.words },
  '--purpose <purpose>': { about: 'only inquiries with this purpose', choices: inquiryPurposes.words },
  ...site('only this site'),
  '--language <tag>': 'only in this language, such as de',
  '--agent <name>': 'only of the agent with this name',
  '--email <address>': 'only of the person with this e-mail, in upper or lower case',
  '--after <time>': { about: 'only those sent at this time or later', parse: parseTime },
  '--before <time>': { about: 'only those sent before this time', parse: parseTime },
  '--older-than <time>': {
    about: 'only those sent longer ago, such as 12h or 3d',
    parse: parseAge,
    conflicts: 'before',
  },
  '--query <words>': 'only those with all these words in title, text, name or prompt question',
  '--group <key>': {
    about: 'only those of this group of "review groups"; none for those of no wave',
    parse: (word: string) => keyAndTime(filled(word)).key,
  },
} as const;

export const listed = command({
  about: 'list the contributions that wait for review, oldest first',
  takes: {
    ...filterOptions,
    '--order <order>': { about: 'in this order', choices: recordOrders.words, initial: 'oldest' },
    ...limit,
  },
  async run(session, { order, limit, ...options }) {
    const { all, state = ['pending_review'], ...narrowed } = options;
    const request = { filter: filterOf(options), order: recordOrders.toWire(order) };
    const { items, cut } = await readListPages(
      session,
      (page) => moderation(session).listContributionRecords({ ...request, ...page }),
      ({ contributions }) => contributions.map(presentContribution),
      { limit },
    );
    const [only = '', ...others] = state;
    const isMixed = all || others.length > 0;
    const isNarrowed = Object.values(narrowed).some((value) => value !== undefined);
    const none = isNarrowed ? 'Nothing matches.' : isMixed ? undefined : `Nothing is ${words(only)}.`;
    session.print.list(items, columnsOfList(isMixed), { one: 'contribution', cut, none });
  },
  examples: [
    'review list',
    'review list --order risk --limit 20',
    'review list --type inquiry --site io --json',
    'review list --purpose report',
    'review list --state approved published --language de --query "password reset"',
    'review list --all --email ada@example.org',
  ],
});

function columnsOfList(withState: boolean): Columns<ContributionView> {
  return {
    id: { value: atRevision, isId: true },
    type: typeOf,
    site: { value: 'site', dropPriority: 2 },
    ...(withState && stateColumn),
    age: { value: (each) => age(each.submitted_at), alignRight: true, dropPriority: 3 },
    risk: { value: (each) => each.risk || '', alignRight: true, dropPriority: 2 },
    'title or text': { value: (each) => each.title ?? each.body.slice(0, 120), flexible: 30 },
    marks: { value: marks, dropPriority: 1 },
    from: { value: 'email', neverCut: true, dropPriority: 4 },
  };
}

// Marks show only unusual facts, so that most contributions have none.
function marks(each: ContributionView) {
  const found = [
    each.held === null ? undefined : `held: ${each.held.decision}`,
    each.open_by.length === 0 ? undefined : `open: ${each.open_by.map(({ actor }) => actor).join(' ')}`,
    ...unusualOf(each),
  ];
  return found.filter((mark) => mark !== undefined).join(', ');
}

export const counted = command({
  about: 'count the contributions that wait for review, by state, type and site',
  takes: filterOptions,
  async run(session, options) {
    const { counts, atLeast } = await moderation(session).countContributionRecords({ filter: filterOf(options) });
    const shown = counts.map(({ state, type, site, count }) => ({
      state: contributionStates.fromWire(state),
      type: contributionTypes.fromWire(type),
      site: sites.fromWire(site),
      count,
    }));
    if (atLeast) session.print.note('There are more; these are the first that were counted.');
    session.print.list(shown, countColumns, { one: 'kind', none: 'There are none.' });
  },
  examples: ['review count', 'review count --all', 'review count --query "password reset" --older-than 3d'],
});

type CountView = Readonly<Record<'state' | 'type' | 'site', string>> & { readonly count: number };

const countColumns: Columns<CountView> = {
  ...stateColumn,
  type: 'type',
  site: 'site',
  count: 'count',
};

/** Makes the filter of a call. Without `--state` and `--all` it selects what waits for review. */
function filterOf(options: Given<typeof filterOptions>) {
  const { all, state = ['pending_review'], type, after, before, olderThan, ...rest } = options;
  return recordFilter({ ...rest, states: all ? [] : state, types: type, since: after, before: before ?? olderThan });
}

/** The key of a group, and the time of a look at it, if it is given. */
function keyAndTime(word: string) {
  const [, key = word, time] = /^(.+)@(\d{4}-\d\d-\d\dT[\d:.]+Z)$/.exec(word) ?? [];
  return { key, time };
}

function parseAge(value: string) {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([hdw])$/.exec(value) ?? [];
  const hours = { h: 1, d: 24, w: 168 }[unit];
  if (count === undefined || hours === undefined) throw new InvalidArgumentError('Give a time such as 12h, 3d or 2w.');
  return new Date(Date.now() - Number(count) * hours * 3_600_000);
}

export const groups = command({
  about: 'show what waiting contributions have in common: a wave of texts is one line',
  async run(session) {
    const { groups, more = 0, held } = await moderation(session).listContributionGroups({});
    const labels = { one: 'group', none: 'No five of those that wait have anything in common.', cut: more > 0 };
    session.print.list(groups.map(presentGroup), columns, labels);
    if (more > 0) session.print.note(`${count(more, 'smaller group')} more: they show when these are decided.`);
    const hint = groups.map(ruleHint).find((each) => each !== undefined);
    if (hint !== undefined) session.print.note(hint);
    for (const { groupId, contributions, actor, takesEffectAt } of held) {
      const until = takesEffectAt?.toISOString().slice(11, 19);
      session.print.note(
        `${actor} rejected ${count(contributions, 'text')}. Until ${until} UTC this takes all back: knowledge review undo --group ${groupId}`,
      );
    }
  },
  examples: [
    'review groups',
    'review list --group link:example.org',
    'review list --group none',
    'review reject-group link:example.org@2026-11-26T08:00:00.000Z --reason "It is an advertisement." --end-agents',
  ],
});

const columns: Columns<GroupView> = {
  texts: 'contributions',
  humans: 'humans',
  they: { value: ({ key }) => commonWords(key), flexible: true },
  key: { value: 'key_at_time', neverCut: true },
};

export const rejectGroup = command({
  about: `reject all waiting contributions of a group at once, and close its inquiries; it takes effect in ${rules.undoSeconds} seconds, and until then "review undo --group" takes all back`,
  takes: {
    '<key>': 'the group; KEY@TIME as "review groups" prints it, to leave what came or changed since',
    ...requiredReason('why; each human gets it, in one mail'),
    '--end-agents': 'end the access of the agents too, and withdraw what else they sent that waits',
    '--except <ids...>': 'leave these texts as they are, and the access of their agents',
  },
  async run(session, { key: word, reason, endAgents, except = [] }) {
    const { key, time } = keyAndTime(word);
    if (time === undefined && session.yes) {
      throw new UsageError(
        'With --yes give KEY@TIME as "review groups" prints it: what came after your look must stay.',
      );
    }
    const waiting = await readGroup(groupModeration(session), key);
    const seen = waiting.filter(
      ({ updated_at }) => time === undefined || Date.parse(updated_at ?? '') <= Date.parse(time),
    );
    const left = except.map((id) => {
      const found = seen.filter((each) => each.id_at_revision.startsWith(id));
      if (found.length === 1) return found[0] as (typeof seen)[number];
      throw new UsageError(
        `--except ${id}: ${found.length === 0 ? 'no text' : 'more than one text'} of this group has this id.`,
      );
    });
    const texts = seen.filter((each) => !left.includes(each));
    if (waiting.length === bounds.decidedAtOnce)
      session.print.note(`These are the first ${bounds.decidedAtOnce}; run it again for the rest.`);
    if (seen.length < waiting.length) {
      session.print.note(
        `${count(waiting.length - seen.length, 'text')} came or changed since your look and will stay.`,
      );
    }
    if (texts.length === 0) throw new DeskError('not_found', 'No text of this group waits for a decision.');
    const humans = new Set(texts.map(({ email }) => email)).size;
    const kept = left.map(({ authorization_id }) => authorization_id);
    const ended = new Set(texts.map(({ authorization_id }) => authorization_id).filter((id) => !kept.includes(id)))
      .size;
    const agents = endAgents ? ` The access of ${count(ended, 'agent')} ends too.` : '';
    const lines = texts.map(
      (each) => `${shortId(each.id_at_revision)}  risk ${each.risk}  ${each.email}  ${titleOf(each)}`,
    );
    await confirm(
      session,
      `Reject ${count(texts.length, 'contribution')} of ${count(humans, 'human')} that ${commonWords(key, texts.length)}?${agents} Each human gets one mail.`,
      lines.join('\n'),
    );
    const contributions = texts.map(({ id, revision }) => ({ id, revision }));
    const request = { contributions, reason, endAgents, keptAuthorizationIds: kept };
    const done = await groupModeration(session).rejectGroup(request);
    session.print.result(presented(done), ({ group_id, decided, left, takes_effect_at }) =>
      [
        `Rejected ${count(decided, 'contribution')}; takes effect at ${takes_effect_at?.slice(11, 19)} UTC.${agents} Until then "knowledge review undo --group ${group_id}" takes all back.`,
        ...left.map(({ id, reason: why }) => `${id} stays: ${why}`),
        ruleHint({ key, humans }),
      ]
        .filter((line) => line !== undefined)
        .join('\n'),
    );
  },
  examples: [
    'review reject-group link:example.org --reason "It is an advertisement."',
    'review reject-group mail:example.org@2026-11-26T08:00:00.000Z --reason "It is an advertisement." --end-agents --yes',
  ],
});
