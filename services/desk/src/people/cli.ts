import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { finder, idHelp } from '../base/ids.js';
import { presented } from '../base/presented.js';
import { callsOf } from '../base/session.js';
import { type Columns, formatTable, idColumn, stateColumn } from '../base/table.js';
import { count, type Paint, terminalSafeJson, terminalSafeLine } from '../base/text.js';
import { readableTime } from '../base/time.js';
import { sites } from '../base/words.js';
import { formatQuota } from '../limits/limits.js';
import { command, group, list, result } from '../terminal/command-table.js';
import { limit, lookReason, numberOf, reason, requiredEmail, requiredReason } from '../terminal/options.js';
import { authorizationColumns, type BlockView, tokenColumns } from './access.js';
import { exportPerson, personMarkdown } from './export-person.js';
import { type Found, findByWord, withoutToken } from './find-by-word.js';
import {
  askForErasure,
  cancelErasure,
  confirmErasure,
  type ErasureView,
  lookedUp,
  openErasures,
  type PersonView,
  personServices,
  presentErasure,
  readPerson,
  sendAccessLink,
} from './person.js';

const grants = callsOf('identity', GrantAdminServiceService);

const ofPerson = requiredEmail('the e-mail of the person, in upper or lower case');

const erasureColumns: Columns<ErasureView> = {
  ...idColumn,
  ...stateColumn,
  'asked by': { value: 'asked_by', flexible: true },
  'asked, UTC': { value: 'asked_at', dropPriority: 2 },
  lapses: (each) => (each.state === 'waiting' ? readableTime(each.lapses_at) : '-'),
  'decided by': { value: 'decided_by', flexible: true, dropPriority: 1 },
  work: { value: (each) => (each.with_work ? 'too' : 'stays'), dropPriority: 3 },
  'e-mail': { value: 'email', neverCut: true },
};

/** `knowledge person …`, for support (gateway/PROTOCOL.md#personal-data). */
export const person = group({
  commands: {
    find: command({
      about: 'find the person behind what somebody names: an id, an X-Request-Id, a user code, an agent, an address',
      takes: { '<word>': 'what they name; in quotes if it has spaces', ...lookReason },
      run: async (session, { word, reason }) => {
        const found = await findByWord(personServices(session), withoutToken(word.trim()), reason);
        session.print.list(found.map(presentFound), foundColumns, {
          one: 'thing',
          none: 'Nothing is known under this name.',
        });
      },
      examples: [
        'person find WDJB-MJHT',
        'person find "README tour"',
        'person find 894b2c6e-0f2a-4c43-9f5e-3d1b3c0a7c11',
      ],
    }),
    show: result({
      about: 'show what a person has: accesses, requests, contributions, mails, and what is left today',
      takes: { ...ofPerson, ...lookReason },
      run: (session, { email, reason }) => readPerson(personServices(session), email, reason),
      text: formatPerson,
      examples: ['person show --email ada@example.org', 'person show --email ada@example.org --json'],
    }),
    export: result({
      about: 'print all data of a person',
      takes: {
        ...ofPerson,
        ...requiredReason(),
        '--format <format>': {
          about: 'json for programs, markdown for people',
          choices: ['json', 'markdown'],
          initial: 'json',
        },
      },
      run: (session, { email, reason }) => exportPerson(personServices(session), email, reason),
      text: (all, _, { format }) => (format === 'markdown' ? personMarkdown(all) : terminalSafeJson(all, 2)),
      examples: [
        'person export --email ada@example.org --reason "asked for by letter" > ada.json',
        'person export --email ada@example.org --format markdown --reason "asked for by letter" > ada.md',
      ],
    }),
    'mail-link': result({
      about: 'mail a person the link to the access page, within the limits that hold for people too',
      takes: {
        ...ofPerson,
        '--site <site>': { about: 'the site whose page the link opens', choices: sites.words, initial: 'org' },
        ...requiredReason(),
      },
      question: ({ email }) => `Mail ${email} a link to their access page?`,
      run: async (session, given) => {
        await sendAccessLink(personServices(session), given);
        return { id: given.email, state: 'mailed' };
      },
      text: ({ id }) => `A mail with the link is on its way to ${id}.`,
      examples: ['person mail-link --email ada@example.org --reason "lost the mail" --yes'],
    }),
    erase: result({
      about: 'ask for the erasure of a person; another staff member confirms it with "erasure confirm"',
      takes: {
        ...ofPerson,
        ...requiredReason('why; stored with your name until the erasure is done'),
        '--with-work': 'retract and delete published work too; without it, it stays without the name',
      },
      run: (session, given) => askForErasure(personServices(session), given),
      text: ({ id, email, lapses_at }) =>
        [
          `Nothing is erased yet: another staff member must confirm the erasure of ${email}.`,
          `They run: knowledge erasure confirm ${id}`,
          `The request lapses at ${readableTime(lapses_at)} UTC.`,
        ].join('\n'),
      examples: [
        'person erase --email ada@example.org --reason "asked for by letter"',
        'person erase --email ada@example.org --with-work --reason "asked for by letter"',
      ],
    }),
    block: result({
      about: 'let no agent ask a mailbox or send texts in its name, and cancel its pending requests',
      takes: {
        ...requiredEmail('the mailbox; includes its other spellings, such as plus-tags'),
        '--days <count>': {
          about: 'for how many days; 0 means for ever',
          parse: numberOf(/^\d{1,4}$/, 'Give whole days; 0 means for ever.'),
          initial: 30,
        },
        ...reason('why; stored with your name, and mailed to the person'),
      },
      question: ({ email, days }) =>
        `Block ${email} ${days === 0 ? 'for ever' : `for ${count(days, 'day')}`}? No agent can ask this mailbox or send texts in its name; who has an access page gets a mail. Pending requests are cancelled, which cannot be undone.`,
      run: async (session, given) => {
        const done = await grants(session).blockRequests(given);
        return { id: given.email, state: 'blocked', ...presented(done) };
      },
      text: ({ id, until, cancelled }) => {
        return `No agent may ask ${id} or send texts in its name ${endOf(until)}; ${count(cancelled, 'request')} ended.`;
      },
      examples: ['person block --email ada@example.org --days 0 --reason "asked by mail"'],
    }),
    unblock: result({
      about: 'end the block of a mailbox, or else the refusal of its human',
      takes: { ...requiredEmail('the mailbox'), ...reason('why, stored with your name; in no mail') },
      run: async (session, given) => {
        await grants(session).unblockRequests(given);
        return { id: given.email, state: 'unblocked' };
      },
      text: ({ id }) => `The block of ${id} has ended.`,
      examples: ['person unblock --email ada@example.org --reason "wants requests again"'],
    }),
  },
  examples: [
    'person show --email ada@example.org',
    'person export --email ada@example.org --reason "asked for by letter" > ada.json',
    'person erase --email ada@example.org --reason "asked for by letter"',
  ],
});

function presentFound(found: Found) {
  if (found.kind === 'limits') return { kind: found.kind, id: found.subject, email: null };
  return { kind: found.kind, id: found.kind === 'person' ? found.email : found.id, email: found.email };
}

const foundColumns: Columns<ReturnType<typeof presentFound>> = {
  what: 'kind',
  id: { value: 'id', neverCut: true },
  person: 'email',
};

function formatPerson(person: PersonView, { width }: Paint) {
  const {
    id,
    tokens,
    authorizations,
    block,
    contributions,
    mails,
    quota,
    agents,
    erasures,
    only_newest: limit,
  } = person;
  return [
    `${id}\n${lookedUp}${limit === null ? '' : `\nOnly the newest ${limit} of each kind are shown.`}`,
    ...(erasures.length === 0 ? [] : [section('Erasure', erasures, erasureColumns, width)]),
    ...(block === null ? [] : [formatBlock(block)]),
    section('Tokens', tokens, tokenColumns, width),
    section('Requests', authorizations, authorizationColumns, width),
    section('Contributions', contributions, contributionColumns, width),
    section('Mails', mails, mailColumns, width),
    `What is left with a token\n${formatQuota(quota)}`,
    ...agents.map((agent) => `What is left for ${terminalSafeLine(agent.id)}\n${formatQuota(agent)}`),
  ].join('\n\n');
}

function formatBlock({ until, by, reason }: BlockView) {
  return `${by === 'human' ? 'This person refuses requests of agents' : 'Requests and texts of agents are blocked'} ${endOf(until)}, by ${by}${reason === null ? '' : `: ${terminalSafeLine(reason)}`}`;
}

function endOf(until: string | null) {
  return until === null ? 'for ever' : `until ${readableTime(until)} UTC`;
}

function section<Item>(heading: string, items: readonly Item[], columns: Columns<Item>, width: number | undefined) {
  return items.length === 0 ? `${heading}: none` : `${heading}\n${formatTable(items, columns, width)}`;
}

const contributionColumns: Columns<PersonView['contributions'][number]> = {
  ...idColumn,
  type: 'type',
  site: { value: 'site', dropPriority: 3 },
  ...stateColumn,
  'sent, UTC': { value: 'submitted_at', dropPriority: 1 },
  title: { value: 'title', flexible: true },
  reason: { value: 'reason', flexible: true, dropPriority: 2 },
};

const mailColumns: Columns<PersonView['mails'][number]> = {
  mail: 'purpose',
  ...stateColumn,
  tries: { value: 'attempts', dropPriority: 2 },
  'sent, UTC': 'sent_at',
  'because of': { value: (each) => `${each.cause} ${each.id.slice(0, 8)}`, dropPriority: 1 },
  about: { value: (each) => each.about || '-', flexible: true },
};

const findErasure = finder('open erasure', personServices, openErasures);

/** `knowledge erasure …`, for support (SECURITY.md#erasing-a-person). */
export const erasure = group({
  commands: {
    list: list({
      about: 'list the erasures that wait for a second person or are not finished, oldest first',
      takes: { '--all': 'also those of the last 30 days that are done or cancelled', ...limit },
      run: (session, { all }, page) => personServices(session).erasures.listErasures({ all, email: '', ...page }),
      items: ({ erasures }) => erasures.map(presentErasure),
      columns: erasureColumns,
      one: 'erasure',
      none: () => 'No erasure waits for a second person.',
      examples: ['erasure list', 'erasure list --all --json'],
    }),
    confirm: result({
      about: 'confirm the erasure that another staff member asked for, and do it. Safe to repeat',
      takes: { '<id>': idHelp },
      find: findErasure,
      question: () => 'Erase this person? It cannot be undone.',
      preview: async (session, { id }) => {
        const asked = (await openErasures(personServices(session))).find((each) => each.id === id);
        if (asked === undefined) return 'This erasure is not open.';
        const work = asked.with_work ? 'Published work is deleted too.' : 'Published work stays without its name.';
        return `${asked.asked_by} asks to erase ${asked.email}: ${asked.reason}\nIts tokens end; its requests, mails and contributions are deleted. ${work}`;
      },
      run: (session, { id }) => confirmErasure(personServices(session), id),
      text: ({ email, tokens, authorizations, contributions, anonymized }) => {
        const kept = `${count(anonymized, 'published one')} ${anonymized === 1 ? 'stays' : 'stay'} without a name`;
        const gone = `${count(tokens, 'token')}, ${count(authorizations, 'authorization request')}`;
        return `Erased ${email ?? 'this person'}: ${gone} and ${count(contributions, 'contribution')}; ${kept}.`;
      },
      examples: ['erasure confirm ID', 'erasure confirm ID --yes'],
    }),
    cancel: result({
      about: 'cancel an erasure that waits for a second person',
      takes: { '<id>': idHelp, ...reason('why; stored with your name') },
      find: findErasure,
      run: (session, { id, reason }) => cancelErasure(personServices(session), id, reason),
      text: ({ id }) => `The erasure ${id} is cancelled; nothing was erased.`,
      examples: ['erasure cancel ID --reason "the wrong address"'],
    }),
  },
  examples: ['erasure list', 'erasure confirm ID'],
});
