import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  AllowedEdit,
  ContributionRecord,
  type OtherWork,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import {
  type DecisionName,
  decisionNames,
  decisions,
  kinds,
  type ContributionState as StateWord,
} from '@knowledge/runtime/product';
import { describe, expect, it } from 'vitest';
import { contributionStates, contributionTypes, decisionWords, titleOf } from '../base/contribution-words.js';
import { type ContributionView, presentContribution } from '../contributions/contribution.js';
import { csrfMark } from '../pages/fields.js';
import { marked } from '../pages/values.js';
import type { ItemView } from './web-item.js';
import type { ListView } from './web-list.js';
import { queuePage } from './web-page.js';
import { inTurn, readFilter } from './web-read-queue.js';
import { linksIn } from './web-texts.js';

const at = new Date('2026-06-01T09:00:00Z');
const otherId = '01890a5d-ac96-774b-bcce-b302099a8059';
const both = { roles: ['moderator', 'editor'] } as const;
const later = new Date('2027-06-05T09:00:00Z');
const markdown = createMarkdownRenderer(1_000_000);

/** Each character with a meaning in markup stands before the word, so that a leak shows as `<hostile`. */
const hostile = `x"hostile'hostile<hostile>hostile&hostile;</script><script>alert(1)</script>`;

const hostileTexts: Readonly<Record<string, string>> = {
  markup: hostile,
  'markup of htmx': '<div hx-get="/admin" hx-trigger="load" id="workspace" data-key="a"></div> <b onclick=x()>',
  'an end of the container': '</div></section></main><form action="https://evil.example"><input name="_csrf">',
  'terminal codes': '\u001b]0;x\u0007 \u001b[2J over\rwritten \u009b31m',
  bidi: '\u202egnp.exe\u2069 \u200f\u2066 end',
  'no space in 8,000 characters': 'x'.repeat(8000),
  'data URLs': '[a](data:text/html,<script>alert(1)</script>) ![b](data:image/svg+xml;base64,AAAA) <data:text/html,x>',
  'scripts in links': '[a](javascript:alert(1)) <a href="javascript:alert(1)">b</a> ![x](javascript:alert(1))',
  'tags of Unicode': 'a\u{e0069}\u{e0067}\u{e006e}b',
};

const states = Object.values(ContributionState)
  .filter((state) => state !== ContributionState.UNRECOGNIZED)
  .slice(1);
const types = [ContributionType.STORY, ContributionType.INQUIRY, ContributionType.PROMPT_REPLY];

const agent = 'token:01890a5d-ac96-774b-bcce-b302099a8057';
const byAgent = ' meanwhile by its agent, and this decision was dropped.';

describe('the pages of the queue', () => {
  const harmlessShapes = everyItem('harmless').map((view) => shapeOf(markupOf(view)));

  it.each(Object.entries(hostileTexts))('keep %s inside the text, in every state and field', (_name, text) => {
    for (const [at, view] of everyItem(text).entries()) {
      const page = markupOf(view);
      expect(shapeOf(page)).toEqual(harmlessShapes[at]);
      const own = ownPart(page);
      const tags = own.match(/<[^>]*>/g)?.join('') ?? '';
      expect(tags.match(/["']hostile/)).toBeNull();
      expect(own.match(/<hostile|&hostile|<script/)).toBeNull();
      expect(own.match(/(?![\n\t])\p{Cc}|[\u202a-\u202e\u2066-\u2069\u{e0000}-\u{e007f}]/u)).toBeNull();
    }
  });

  it('have no link to an item for a role that opens none', () => {
    const [view] = everyItem('a text');
    if (view === undefined) throw new Error('There is no item.');
    const list = { ...listOf(view), canOpen: false };
    const markup = listPage(list);
    expect(markup).toContain('a text');
    expect(markup).not.toMatch(/href="\/queue\/|data-item/);
  });

  it('offer each state its decisions, each by one key', () => {
    const keysIn = (view: ContributionView): string => {
      const keys = [...markupOf(view).matchAll(/data-key="([a-z])"/g)].map(([, key]) => key);
      return keys.sort().join('');
    };
    const { PENDING_REVIEW, APPROVED, PUBLISHED, REJECTED, ANSWERED } = ContributionState;
    const stories = [PENDING_REVIEW, APPROVED, PUBLISHED, REJECTED].map((state) => item(ContributionType.STORY, state));
    expect(stories.map(keysIn)).toEqual(['acepr', 'epr', 'er', 'o']);
    const inquiries = [PENDING_REVIEW, ANSWERED].map((state) => item(ContributionType.INQUIRY, state));
    expect(inquiries.map(keysIn)).toEqual(['acr', 'a']);
    expect(keysIn({ ...item(ContributionType.STORY), held })).toBe('u');
  });

  it('ask for what each decision needs, and only for that', () => {
    const fieldsIn = (type: ContributionType, state: ContributionState): string =>
      [...markupOf(item(type, state)).matchAll(/<textarea id="(\w+-(?:reason|text|note))" name="(\w+)"[^>]*>/g)]
        .map(([field, id, name]) => `${id} ${name}${/ required/.test(field) ? ' required' : ''}`)
        .filter((each) => !/^(?:edit|note|remove)-/.test(each))
        .join(', ');
    const { STORY, INQUIRY } = ContributionType;
    const { PENDING_REVIEW, PUBLISHED, REJECTED } = ContributionState;
    const changes = 'request_changes-reason reason required';
    expect(fieldsIn(STORY, PENDING_REVIEW)).toBe(`reject-reason reason required, ${changes}`);
    const ofInquiry = 'answer-text text required, close-reason reason, close-note note';
    expect(fieldsIn(INQUIRY, PENDING_REVIEW)).toBe(`${ofInquiry}, ${changes}`);
    expect(fieldsIn(STORY, PUBLISHED)).toBe('retract-reason reason required');
    expect(fieldsIn(STORY, REJECTED)).toBe('');
  });

  it('change no words of what was published, but propose an edit, and take out at once what harms', () => {
    const { PENDING_REVIEW, PUBLISHED, RETRACTED } = ContributionState;
    const story = item(ContributionType.STORY, PUBLISHED, 'A text');
    const history = [...story.history, { ...story.history[0], to_state: 'published' }] as ContributionView['history'];
    const buttons = (state: ContributionState, of = history): string[] => {
      const page = markupOf({ ...item(ContributionType.STORY, state, 'A text'), history: of });
      return [...page.matchAll(/<button>([^<]*)<\/button> <span/g)].map(([, label]) => label ?? '');
    };
    expect(buttons(PUBLISHED)).toEqual(expect.arrayContaining(['Propose this edit', 'Take it out']));
    expect(buttons(RETRACTED)).toEqual(['Take it out']);
    expect(buttons(PENDING_REVIEW)).toContain('Propose this edit');
    expect(buttons(PENDING_REVIEW, story.history)).toContain('Keep this text');
    expect(buttons(PENDING_REVIEW, story.history)).not.toContain('Take it out');
    const page = markupOf({ ...story, history });
    expect(page).not.toMatch(/name="name"/);
    expect(page).toContain('Proposed: it waits for the yes of its human');
    expect(page).toContain('<ins>New</ins>');
  });

  it('show near duplicates, and earlier work of human and agent with how it was decided', () => {
    const page = markupOf(item(ContributionType.STORY, ContributionState.PENDING_REVIEW, 'A text'));
    const text = page.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(text).toContain('84 %: A text pending review, another human');
    expect(text).toContain(
      'This human, all with this agent: 2 rejected A text story, rejected A text A text report, rejected',
    );
    expect(text).not.toContain('This agent: 2 rejected');
    expect(page).toContain(`href="/queue/${otherId}`);
  });

  it('show which article a correction is about, and lead to a draft of its next revision', () => {
    const correction = item(ContributionType.INQUIRY);
    const page = markupOf(correction);
    expect(page).toContain('<p class="kicker">correction · Organisation');
    expect(page).toContain('<a href="/articles/org/rolling-out-sso"><bdi>harmless</bdi></a>');
    expect(page).toContain(`href="/articles/org/rolling-out-sso/next?inquiry=${correction.id}"`);
    expect(page).toContain('draft of this article</a> by <bdi>harmless</bdi> already');
    expect(markupOf(correction, { draftAuthors: [] })).toContain('Start a draft with this correction');
    expect(markupOf({ ...correction, purpose: 'report' })).not.toContain('/next?inquiry=');
    // An article opens for editors, and only who is both may bring a correction in.
    const alone = markupOf(correction, { staff: { roles: ['moderator'] } });
    expect(alone).not.toContain('href="/articles');
    expect(alone).toContain('Somebody who is moderator and editor, or an administrator, can start a draft with it.');
    expect(markupOf(correction, { staff: { roles: ['administrator'] } })).toContain('/next?inquiry=');
  });

  it('say who decided what while it can be undone', () => {
    const page = markupOf({ ...item(ContributionType.STORY, ContributionState.PENDING_REVIEW), held });
    expect(page).toContain('<strong><bdi>Rejected</bdi></strong> by <bdi>Ada</bdi>');
    expect(page).not.toContain('name="decision"');
  });

  it('say at the buttons that a proposed edit waits, and that its human undid an edit', () => {
    const text = { ...item(ContributionType.STORY), title: 'A title', body: 'Other words.', name: null };
    const waiting = { ...item(ContributionType.STORY, ContributionState.PUBLISHED), proposed_edit: null };
    const drops = /<section class="decisions"[^>]*><p class="notice">[^<]*Whatever is done here drops it/;
    expect(markupOf(waiting)).not.toMatch(drops);
    expect(markupOf({ ...waiting, proposed_edit: { proposed_at: null, reason: 'why', text } })).toMatch(drops);
    const undone = { revision: 4, changed_at: null, by: 'human', reason: null, fields: ['title'], before: text };
    const again = item(ContributionType.STORY, ContributionState.PENDING_REVIEW);
    expect(markupOf({ ...again, text_changes: [undone] })).toContain('Its human undid what moderators edited.');
    expect(markupOf({ ...waiting, text_changes: [undone] })).not.toContain('Its human undid');
  });

  it('say in the history what was done, and never with a command or the id of a token', () => {
    const history = [
      step('', 'pending_review', agent),
      step('pending_review', 'decided', 'ada', 'close: to spam', 'reject'),
      step('pending_review', 'undone', 'bea', 'the decision of ada', 'approve_and_publish'),
      step('published', 'published', 'ada', 'a typing error'),
      step('published', 'proposed', 'ada', 'reject: is no command here'),
    ];
    const page = markupOf({ ...item(ContributionType.STORY, ContributionState.PUBLISHED), history });
    const steps = page.match(/<ol class="history">(.*?)<\/ol>/s)?.[1]?.split('</li>') ?? [];
    const wordsOf = (markup: string) => markup.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    expect(steps.map((each) => wordsOf(each).replace(' ,', ',').trim())).toEqual([
      'new → pending review, its agent',
      'decision, can be undone, ada Rejected: close: to spam',
      'decision undone, bea the decision of ada: Approved and published',
      'changed, ada a typing error',
      'edit proposed, ada reject: is no command here',
      '',
    ]);
  });

  it('give the title the direction of the text', () => {
    const story = item(ContributionType.STORY);
    const titleOfItem = (title: string, body: string, language: string | null) =>
      /<h2 id="item-title" tabindex="-1" dir="(...)"/.exec(markupOf({ ...story, title, body, language }))?.[1];
    const body = 'نقلنا قاعدة البيانات في عطلة نهاية الأسبوع ولم يلاحظ أحد.';
    expect(titleOfItem('SSO: كيف نقلنا النظام', body, 'ar')).toBe('rtl');
    expect(titleOfItem('كيف نقلنا النظام', body, null)).toBe('rtl');
    expect(titleOfItem('How we moved', 'We moved over a weekend.', 'en')).toBe('ltr');
  });

  it.each([
    ['retract', ContributionState.RETRACTED, null, 'Retracted: A text.'],
    ['answer', ContributionState.ANSWERED, null, 'Answered: A text.'],
    ['reopen', ContributionState.PENDING_REVIEW, null, 'Reopened: A text.'],
    ['reject', ContributionState.WITHDRAWN, null, 'Rejected: A text. It is withdrawn now.'],
    ['reject', ContributionState.APPROVED, held, 'Rejected: A text. You can undo it until 00:49:05 UTC.Undo  u'],
    ['undone', ContributionState.ANSWERED, null, 'Undone: A text. It is answered now.'],
    ['approve', ContributionState.APPROVED, null, 'Approved: A text.', ['approved', 'ada']],
    ['close', ContributionState.PENDING_REVIEW, null, `A text: it was changed${byAgent}`, ['pending_review', agent]],
    ['approve', ContributionState.WITHDRAWN, null, `A text: it was withdrawn${byAgent}`, ['withdrawn', agent]],
    ['approve', ContributionState.PENDING_REVIEW, null, 'A text: bea has undone this decision.', ['undone', 'bea']],
  ] as const)('say what was done, not only the state after it: %s, then %s', (what, state, held, said, then?) => {
    const history = then === undefined ? [] : [step('', 'decided', 'ada', '', what), step('', then[0], then[1])];
    const record = { ...item(ContributionType.STORY, state, 'A text'), held, history };
    const [outcome = ''] = /<div id="outcome".*?<\/div>/s.exec(listPage(listOf(record), { what, record })) ?? [];
    expect(outcome.replaceAll(/<[^>]*>/g, '').trim()).toBe(said);
  });

  it.each([
    ['ended', /has no access any more.*gets a mail/, /is blocked/],
    ['blocked', /is blocked.*gets a mail/, /has no access any more/],
    ['stopped', /has no access any more.*is blocked.*gets a mail/, /The block of/],
    ['unblocked', /The block of the human of .* has ended/, /gets a mail/],
  ] as const)('say what was done to a sender: %s', (what, said, unsaid) => {
    const record = item(ContributionType.STORY);
    const markup = listPage(listOf(record), { what, record });
    expect(markup).toMatch(said);
    expect(markup).not.toMatch(unsaid);
  });

  it('ask to look closely only if something was found, and not for every first text', () => {
    const view = { ...item(ContributionType.STORY), duplicate_of: null };
    const first = { check: 'first_contribution', weight: 5, text: 'the first contribution of this human' };
    const harmless = markupOf({ ...view, risk: 5, checks: [first] });
    expect(harmless).toContain('What the checks noticed');
    expect(harmless).not.toMatch(/Look closely|class="warnings"|risk 5/);
    const found = markupOf({ ...view, risk: 35, checks: [{ check: 'x', weight: 30, text: 'a key' }, first] });
    expect(found).toMatch(/class="warnings".*Look closely: risk 35 of 100/s);
    expect(found).toContain('<span class="mark">risk 35</span>');
  });

  it('show what a text answers before the text: the question of a prompt, and the changes that were asked for', () => {
    const history = ['too short', 'no sources'].map((reason) => {
      const to = { to_state: 'changes_requested', actor: 'ada', reason, occurred_at: null, revision: 2 };
      return { from_state: 'pending_review', ...to };
    });
    const view = { ...item(ContributionType.PROMPT_REPLY), title: null, prompt_question: 'What broke?', history };
    const page = markupOf(view);
    const places = ['What broke?', 'Asked for was: <bdi>no sources', 'class="decisions"', 'class="theirs'];
    expect(places.map((each) => page.indexOf(each)).toSorted((one, other) => one - other)).toEqual(
      places.map((each) => page.indexOf(each)),
    );
    expect(page).not.toContain('Asked for was: <bdi>too short');
    expect(markupOf({ ...view, text_changes: [] })).not.toContain('Asked for was');
  });

  it('send every form with the token and the revision that was shown', () => {
    const page = markupOf(item(ContributionType.STORY, ContributionState.PENDING_REVIEW));
    const forms = page.match(/<form method="post".*?<\/form>/gs) ?? [];
    expect(forms).toHaveLength(6);
    for (const form of forms) expect(form).toContain(`name="_csrf" value="${csrfMark}"`);
    for (const form of forms.slice(0, 5)) expect(form).toMatch(/name="revision" (?:value="3"|.*value="3" selected>)/);
  });

  it('show a difference side by side', () => {
    const view = { ...item(ContributionType.STORY, ContributionState.PENDING_REVIEW), body: 'We took ten weeks.' };
    const before = { ...view, body: 'We took nine weeks.' };
    const change = { revision: 2, changed_at: null, by: 'agent', reason: null, fields: ['body'], before };
    const page = markupOf({ ...view, text_changes: [change] });
    expect(page).toContain('We took <del>nine</del> weeks.');
    expect(page).toContain('We took <ins>ten</ins> weeks.');
  });
});

it('goes on to the next item that nobody has decided, at the end to the first, and tells apart what colleagues have open', () => {
  const opened = (...actors: string[]) => actors.map((actor) => ({ actor, since: null }));
  const entries = [
    { id: '1', held: null, open_by: opened('ada') },
    { id: '2', held: null, open_by: [] },
    { id: '3', held, open_by: [] },
    { id: '4', held: null, open_by: opened('ada', 'bea') },
    { id: '5', held: null, open_by: [] },
  ].map((each) => ({ ...item(ContributionType.STORY), ...each }));
  const after = (id: string | undefined): string[] => {
    const { free, taken } = inTurn(entries, id, 'ada');
    return [free, taken].map((part) => part.map((each) => each.id).join(' '));
  };
  expect(after('2')).toEqual(['5 1', '4']);
  expect(after('5')).toEqual(['1 2', '4']);
  expect(after(undefined)).toEqual(['1 2 5', '4']);
  expect(after('of another page')).toEqual(['1 2 5', '4']);
});

it('writes hidden characters as codes with their names', () => {
  expect(marked('a\u{e0069}<b>').markup).toBe('a<mark class="odd" title="Unicode tag">⟦U+E0069⟧</mark>&lt;b&gt;');
});

it('names the hosts of links as the network sees them', () => {
  const page = markupOf({ ...item(ContributionType.STORY), body: 'see https://exаmple.org/a' });
  expect(page).toContain('<code>xn--exmple-4nf.org</code>');
  expect(
    linksIn('see https://exаmple.org/a, http://example.org:8080 and https://exаmple.org/b https://żółw.pl'),
  ).toEqual([
    { host: 'xn--exmple-4nf.org', isOdd: true, isHidden: false },
    { host: 'example.org:8080', isOdd: false, isHidden: false },
    { host: 'xn--w-uga1v8h.pl', isOdd: false, isHidden: false },
  ]);
  const hidden =
    '[https://good.example/](https&#58;//evil17.example/) <https://a.example@b.example> `https://c.example`';
  expect(linksIn(hidden)).toEqual([
    { host: 'evil17.example', isOdd: false, isHidden: true },
    { host: 'b.example', isOdd: false, isHidden: true },
  ]);
});

it('cuts a long title between characters', () => {
  expect(titleOf({ title: '😀'.repeat(200), body: '' })).toMatch(/^(?:😀)+…$/u);
});

/** An entry of a history. */
function step(from_state: string, to_state: string, actor: string, reason = '', decision = '') {
  return { from_state, to_state, actor, reason, decision, occurred_at: null, revision: 1 };
}

const usual = { person: 'ada', group: { held: undefined, undone: undefined, left: [] } };
const held = {
  ...{ decision: 'reject', actor: 'Ada', decided_at: null, takes_effect_at: '2026-06-01T00:49:05.000Z' },
  ...{ reason: null, text: null, note: null },
};

/** What the service allows in a state. */
function allowed(type: ContributionType, state: ContributionState) {
  const word = contributionStates.fromWire(state) as StateWord;
  const { isPublic } = kinds[contributionTypes.fromWire(type) as keyof typeof kinds];
  const isPossible = (name: DecisionName): boolean =>
    decisions[name].from.includes(word) && (decisions[name].isPublic ?? isPublic) === isPublic;
  const edits = { pending_review: WORDS, approved: WORDS, published: WORDS, retracted: REMOVAL };
  return {
    allowedDecisions: decisionNames.filter(isPossible).map(decisionWords.toWire),
    allowedEdit: (isPublic && edits[word as keyof typeof edits]) || AllowedEdit.UNSPECIFIED,
  };
}

const { WORDS, REMOVAL } = AllowedEdit;

function item(type: ContributionType, state = ContributionState.PENDING_REVIEW, text = 'harmless'): ContributionView {
  return presentContribution(
    ContributionRecord.fromPartial({
      ...allowed(type, state),
      contribution: {
        ...{ id: '01890a5d-ac96-774b-bcce-b302099a8057', type, state, site: Site.ORG, revision: 3 },
        ...{ title: text, body: `Body\n\n${text}`, name: text, language: 'en', promptQuestion: text },
        ...{ submittedAt: at, updatedAt: later, reason: text, answer: text, agentName: text },
        ...(type === ContributionType.INQUIRY && {
          purpose: InquiryPurpose.CORRECTION,
          about: { site: Site.ORG, slug: 'rolling-out-sso', objectId: '', title: text },
        }),
        textChanges: [{ revision: 2, changedAt: at, by: 'agent', fields: ['body'], before: { body: `Old\n${text}` } }],
        proposedEdit: {
          revision: 3,
          editedAt: at,
          reason: text,
          text: { title: text, body: `New\n${text}`, name: text },
        },
      },
      ...{ email: text, agentName: text, note: text, accessEndedBy: text, accessEndedAt: at, changedBy: text },
      ...{
        risk: 30,
        checks: [{ check: 'links', weight: 30, text }],
        hiddenCharacters: [text],
        duplicateOf: '01890a5d-ac96-774b-bcce-b302099a8058',
      },
      history: [{ fromState: '', toState: 'pending_review', actor: text, occurredAt: at, reason: text, revision: 1 }],
      notes: [{ id: '1', author: text, writtenAt: at, text }],
      similar: [{ id: otherId, title: text, state, percent: 84, sameHuman: false }],
      ofHuman: otherWork(text),
      ofAgent: otherWork(text),
      mails: [{ purpose: 'receipt', state: 'sent', attempts: 1, sentAt: at }],
    } as never),
  );
}

function otherWork(text: string): OtherWork {
  const state = ContributionState.REJECTED;
  const newest = [
    { title: text, type: ContributionType.STORY, purpose: InquiryPurpose.UNSPECIFIED, reason: text },
    { title: '', type: ContributionType.INQUIRY, purpose: InquiryPurpose.REPORT, reason: '' },
  ].map((each) => ({ ...each, id: otherId, beginning: text, state, submittedAt: at, revision: 1 }));
  return { counts: [{ state, count: 2 }], newest };
}

function everyItem(text: string): ContributionView[] {
  const plain = types.flatMap((type) => states.map((state) => item(type, state, text)));
  const [first] = plain;
  if (first === undefined) throw new Error('There is no state.');
  return [...plain, { ...first, held: { ...held, actor: text, decision: text, reason: text } }];
}

function markupOf(item: ContributionView, part: Partial<ItemView> = {}): string {
  const filter = readFilter({});
  const steps = { previous: undefined, next: undefined, others: item.name === null ? [] : [item.name], reasons: [] };
  const around = { ...steps, staff: both, block: null, draftAuthors: steps.others, ...part };
  const open: ItemView = { item, filter, markdown, ...around };
  return queuePage({ list: listOf(item), item: open, outcome: undefined, ...usual }).markup;
}

function listPage(list: ListView, outcome?: Parameters<typeof queuePage>[0]['outcome']): string {
  return queuePage({ list, item: undefined, outcome, ...usual }).markup;
}

function listOf(item: ContributionView): ListView {
  const counts = { total: 1, atLeast: false, byType: new Map() };
  const latest = item.updated_at;
  const groups = [{ key: `link:${item.body}`, key_at_time: '', contributions: 5, humans: 2, latest }];
  const entries = { entries: [item], nextPage: hostile, counts, groups, moreGroups: 0 };
  return { ...entries, filter: readFilter({}), open: item.id, canOpen: true };
}

/** The elements of a page outside the text of the community, with their ids, keys and targets. */
function shapeOf(page: string): string[] {
  const own = ownPart(page)
    .replaceAll(/<mark class="odd".*?<\/mark>/gs, '')
    .replaceAll(/<details[^>]*><summary>(?:Where its links lead|As it was sent).*?<\/details>/gs, '')
    .replaceAll(/<div class="sides".*?<\/details>/gs, '</details>');
  return [...own.matchAll(/<(\w+)((?:\s[^<>]*)?)>/g)].map(([, tag, attributes = '']) => {
    const [id, key, action] = ['id', 'data-key', 'action'].map(
      (name) => new RegExp(` ${name}="([^"]*)"`).exec(attributes)?.[1],
    );
    return [tag, id, key, action].join(' ');
  });
}

/** The page without the rendered text, which the sanitizer made, and without what is in fields. */
function ownPart(page: string): string {
  return page.replaceAll(
    /<div class="theirs.*?<\/div>\s*(?=<details|<\/section)|(?<= data-(?:decision|texts)=")[^"]*|(?<=<textarea[^>]*>).*?(?=<\/textarea>)|(?<=<input id="edit-[^>]* value=")[^"]*/gs,
    '',
  );
}
