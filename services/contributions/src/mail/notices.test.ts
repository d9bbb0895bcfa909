import type { OutboxMail } from '@knowledge/runtime/mail';
import { describe, expect, it } from 'vitest';
import type { Contribution, HistoryEntry, Notice } from '../domain/contribution.js';
import { sentText } from '../domain/sent-fields.js';
import { contributionOf } from '../testing/texts.js';
import { composeMail } from './compose.js';

const at = new Date('2026-06-02T10:00:00Z');
const urls = { io: 'https://io.example', org: 'https://org.example/base/' };
const hostile = '<img src=x onerror=alert(1)> https://evil.example/?a=b www.evil.example jo@evil.example {{7*7}}';

function story(fields: Partial<Contribution> = {}): Contribution {
  return contributionOf({
    ...{ state: 'published', title: hostile, body: `${hostile} ${hostile}`, name: hostile, revision: 3 },
    ...{ submittedAt: at, reviewedAt: at, publishedAt: at, catalogRevision: 3 },
    history: [entry({})],
    ...fields,
  });
}

/** An entry of the history: the publication, with these fields. */
function entry(fields: Partial<HistoryEntry>): HistoryEntry {
  return { from: 'approved', to: 'published', actor: 'mod', at, reason: '', revision: 3, ...fields };
}

type MakeAccessKey = Parameters<typeof composeMail>[2]['makeAccessKey'];
const key: MakeAccessKey = async () => ({ code: 'secret-key', until: new Date('2027-05-22T10:00:00Z') });

function mail(notice: Notice, contribution: Contribution, makeAccessKey = key) {
  const recorded = { id: 'm', purpose: notice, state: 'pending' as const, attempts: 1, dueAt: at, sentAt: null };
  const joinedMails = { take: async (contribution: Contribution, mail: OutboxMail) => [{ contribution, mail }] };
  const needs = { urls, joinedMails, makeAccessKey };
  return composeMail(contribution, { ...recorded, recordedAt: at }, needs, new AbortController().signal);
}

/** The text of a mail in one line, without the marks of quotes. */
const wordsOf = async (notice: Notice, contribution: Contribution) =>
  (await mail(notice, contribution))?.text.replace(/[\s>]+/g, ' ') ?? '';

it('says in the receipt where the text links', async () => {
  const body = 'Read [the page](https://best-deals.example/a) and [more](https://best-deals.example/b).';
  const sent = await mail('received', story({ body, state: 'pending_review' }));
  expect(sent?.text).toContain('The text links to best-deals\u2024example.');
});

function told(to: HistoryEntry['to'], reason: string, fields: Partial<Contribution>): Contribution {
  return story({ ...fields, history: [entry({ to, reason })] });
}

const inquiry = { type: 'inquiry', title: null } as const;
const samples: [Notice, Contribution][] = [
  ['published', story()],
  ['changes_requested', told('changes_requested', '<b>Off topic</b> & more', { state: 'changes_requested' })],
  ['rejected', told('rejected', '<b>Off topic</b> & more', { state: 'rejected' })],
  ['retracted', told('retracted', '<b>Off topic</b> & more', { state: 'retracted' })],
  ['answered', told('answered', '', { ...inquiry, state: 'answered', answer: '<b>Off topic</b> & more' })],
  ['closed', told('closed', '<b>Off topic</b> & more', { ...inquiry, state: 'closed', note: 'a nuisance' })],
];

describe('composeMail', () => {
  it.each(samples)(
    'does not let text from outside in %s become markup, a link or a subject',
    async (notice, contribution) => {
      const composed = await mail(notice, contribution);
      if (composed === undefined) throw new Error('no mail');
      const { to, subject, text, html } = composed;
      expect(to).toBe('jo@example.org');
      expect(subject).toMatch(/^[A-Za-z ]+$/);
      expect(html).not.toMatch(/<img|<b>/);
      for (const part of [text, html]) {
        expect(part).not.toContain('evil.example');
        for (const [url] of part.matchAll(/https?:\/\/[^\s"<]+/g))
          expect(url).toMatch(/^https:\/\/org\.example\/base\//);
      }
    },
  );

  it.each(samples.slice(1))('contains the reason in %s, as text and as HTML', async (notice, contribution) => {
    const composed = await mail(notice, contribution);
    expect(composed?.text).toContain('<b>Off topic</b> & more');
    expect(composed?.html).toContain('&lt;b&gt;Off topic&lt;/b&gt; &amp; more');
  });

  it('never tells a decision that was taken back meanwhile', async () => {
    const reopened = entry({ from: 'rejected', to: 'pending_review', reason: 'kept inside', revision: 4 });
    const { history, ...rejected } = told('rejected', 'Off topic', { state: 'rejected' });
    const contribution = { ...rejected, state: 'pending_review' as const, history: [...history, reopened] };
    expect(await mail('rejected', contribution)).toBeUndefined();
    const composed = await mail('reopened', contribution);
    expect(composed?.subject).toBe('A moderator looks at your story again');
    expect(composed?.text).not.toContain('kept inside');
    expect(await mail('reopened', { ...contribution, state: 'published' })).toBeUndefined();
  });

  it('links to the object on its site', async () => {
    const url = 'https://org.example/base/objects/11111111-1111-4111-8111-111111111111?site=org';
    expect((await mail('published', story()))?.text).toContain(url);
  });

  it('contains the reason of its own transition and not of a later one', async () => {
    const later = entry({ to: 'retracted', at: new Date(at.getTime() + 1), reason: 'second', revision: 5 });
    const contribution = told('retracted', 'first', { state: 'retracted', reason: 'second' });
    const both = { ...contribution, history: [...contribution.history, later] };
    expect((await mail('retracted', both))?.text).toContain('first');
  });

  it.each([
    ['question', 'You asked'],
    ['correction', 'You proposed'],
    ['report', 'You reported'],
  ] as const)('calls a %s by its name', async (purpose, label) => {
    for (const state of ['answered', 'closed'] as const) {
      const { subject, text } = (await mail(state, told(state, '', { ...inquiry, purpose, state }))) ?? {};
      expect([subject, text]).toEqual([expect.stringMatching(`[Yy]our ${purpose}`), expect.stringContaining(label)]);
      if (purpose !== 'question') expect(`${subject} ${text}`).not.toMatch(/question|asked/);
    }
  });

  it('states that an answer corrects the previous one', async () => {
    const answered = { ...inquiry, state: 'answered', answer: 'In the third table.' } as const;
    const corrected = story({ ...answered, history: [entry({ from: 'answered', to: 'answered' })] });
    expect((await mail('answered', corrected))?.subject).toMatch(/^A corrected answer/);
    expect((await mail('answered', story(answered)))?.subject).toMatch(/^An answer/);
  });

  it.each(samples)('links to the access page in %s', async (notice, contribution) => {
    const text = await wordsOf(notice, contribution);
    expect(text).toContain('https://org.example/base/access?key=secret-key');
    expect(text).toContain('The link works until 22 May 2027 (UTC) at the latest.');
  });

  it('links to the form for an access link if the person has no access key', async () => {
    const composed = await mail('published', story(), async () => undefined);
    expect(composed?.text).toContain('https://org.example/base/access/link');
  });

  it('shows the received text, its name and how to withdraw it', async () => {
    const arrived = story({ state: 'pending_review', title: 'One', body: 'What we learned.', name: 'Jo' });
    const composed = await mail('received', arrived);
    expect(composed?.subject).toBe('An agent sent a story in your name');
    for (const words of ['What we learned.', '“Jo”', 'Read it, or withdraw it'])
      expect(composed?.text).toContain(words);
  });

  it('shows the received text as people read it, without marks and hidden characters', async () => {
    const arrived = story({ state: 'pending_review', publishedAt: null, body: '## Nights\n\n- We *sl\u202eept*.' });
    expect((await mail('received', arrived))?.text).toMatch(/> Nights\n> We slept\./);
  });

  it('confirms to a human that they took a text down', async () => {
    const history = [entry({ from: 'published', to: 'retracted', actor: 'human', revision: 4 })];
    const text = await wordsOf('retracted', story({ state: 'retracted', history }));
    expect(text).toContain('As you wished, readers can no longer find it.');
    expect(text).not.toContain('moderator');
    const never = await wordsOf('retracted', story({ state: 'retracted', publishedAt: null, history }));
    expect(never).toContain('As you wished, it will not be published. It was never public.');
    expect(never).not.toMatch(/no longer|[Cc]opies/);
  });

  it('does not contain the private note of a closing', async () => {
    const composed = await mail(...(samples.at(-1) as [Notice, Contribution]));
    expect(`${composed?.text}${composed?.html}`).not.toContain('nuisance');
  });

  it('states that the agent can also read an inquiry', async () => {
    const answered = samples.find(([notice]) => notice === 'answered') as [Notice, Contribution];
    const words = 'Private: you, the moderators and, while it can act for you, the agent that sent it can read it.';
    expect((await mail(...answered))?.text.replace(/\s+/g, ' ')).toContain(words);
  });

  it('fails if no access key can be made now, so that the outbox tries again', async () => {
    await expect(mail('published', story(), () => Promise.reject(new Error('away')))).rejects.toThrow('away');
  });

  it('tells how long a new text is awaited, and is not sent when it has arrived', async () => {
    const asked = story({ state: 'changes_requested' });
    expect(await wordsOf('changes_requested', asked)).toContain('by 2 July 2026 at 10:00 UTC');
    expect(await mail('changes_requested', story({ state: 'pending_review' }))).toBeUndefined();
  });

  describe('about an edit', () => {
    const change = (revision: number, by: 'agent' | 'moderator', before: Partial<Contribution> | null) => ({
      ...{ revision, at, by, reason: by === 'agent' ? '' : `reason ${revision}`, fields: ['body' as const] },
      before: before && sentText({ title: 'The title', body: 'A body.', name: 'Jo', language: 'en', ...before }),
    });
    const edited = (textChanges: Contribution['textChanges']) =>
      story({ ...{ title: 'The title', body: 'We met at the office. All is well.', name: 'Jo' }, textChanges });

    it('of a published text shows the words that changed, and why', async () => {
      const history = [entry({ from: 'published', reason: 'a name', revision: 4 })];
      const before = { body: 'We met Ada <b>Doe</b> at evil.example. All is well.' };
      const composed = await mail('edited', { ...edited([change(4, 'moderator', before)]), history });
      expect(composed?.subject).toBe('Your published story was edited');
      expect(composed?.text).toContain('> a name');
      const words = composed?.text.replace(/\n> /g, ' ') ?? '';
      expect(words).toMatch(/We met \[-Ada <b>Doe<\/b> .*-\].*\{\+.*office.*\+\}.*All is well\./);
      expect(composed?.html).toContain('&lt;b&gt;');
      expect(`${composed?.text}${composed?.html}`).not.toContain('evil.example');
      expect(composed?.html).toMatch(/<del>.*<\/del>/);
    });

    it('before the publication stands in the mail of the publication, against what the agent sent last', async () => {
      const changes = [
        change(3, 'agent', { body: 'The first text of all.' }),
        change(4, 'moderator', { body: 'We met at the ofice. All is well.' }),
        change(5, 'moderator', { body: 'We met at the office, yes. All is well.' }),
      ];
      const text = (await mail('published', edited(changes)))?.text ?? '';
      expect(text).toMatch(/reason 4[\s\S]*reason 5/);
      expect(text).toContain('[-ofice-]{+office, yes+}');
      expect(text).toContain('office[-, yes-]');
      expect(text).toMatch(/You can undo the 2 edits, all at once\.[\s\S]*Undo the edits, or take it down:/);
      expect(text).not.toContain('first text');
      const onlyAgent = await mail('published', edited(changes.slice(0, 1)));
      expect(onlyAgent?.text).not.toContain('moderator edited');
    });

    it('says so if the text before is not kept', async () => {
      const lost = edited([change(4, 'moderator', null)]);
      expect(await wordsOf('published', lost)).toContain('The text before is not kept');
    });

    it('offers no undo where the text before is not kept, and says how to disagree', async () => {
      const history = [entry({ from: 'published', reason: 'a number', revision: 4 })];
      const lost = { ...edited([{ ...change(4, 'moderator', null), final: 'forgotten' as const }]), history };
      for (const notice of ['edited', 'published'] as const) {
        const text = await wordsOf(notice, lost);
        expect(text).toContain('It cannot be undone, because the text before is not kept.');
        expect(text).toContain('If you disagree, write to us');
        expect(text).not.toMatch(/Undo|You can undo|crossed out/);
      }
      const onlyForgot = await wordsOf('edited', { ...lost, history: [entry({ reason: 'a number', revision: 5 })] });
      expect(onlyForgot).toContain('What readers see did not change');
      expect(onlyForgot).not.toContain('took out what must not stay, and');
    });

    it('shows before a rejection what the moderator had changed', async () => {
      const before = { body: 'We met at the ofice. All is well.' };
      const state = { ...edited([change(2, 'moderator', before)]), state: 'rejected' as const };
      const text = await wordsOf('rejected', told('rejected', 'Off topic', state));
      expect(text).toContain('reason 2');
      expect(text).toContain('[-ofice-]{+office+}');
    });

    it.each(['edited', 'retracted'] as const)('says that it dropped a proposal: %s', async (notice) => {
      const to = notice === 'edited' ? 'published' : 'retracted';
      const last = entry({ from: 'published', to, reason: 'why', revision: 5 });
      const proposed = entry({ ...last, to: 'proposed', revision: 4, at: new Date(at.getTime() - 1) });
      const contribution = story({ state: to, history: [proposed, last] });
      expect(await wordsOf(notice, contribution)).toContain('had proposed before is dropped with this');
      expect(await wordsOf(notice, { ...contribution, history: [last] })).not.toContain('dropped');
    });
  });

  it('is not sent after a retraction or an erasure', async () => {
    expect(await mail('published', story({ state: 'retracted' }))).toBeUndefined();
    expect(await mail('rejected', story({ state: 'rejected', email: '' }))).toBeUndefined();
  });
});
