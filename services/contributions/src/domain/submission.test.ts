import { describe, expect, it } from 'vitest';
import { createPrompt, openPrompt, type Prompt } from '../prompts/domain.js';
import { submissionOf } from '../testing/texts.js';
import { checkSubmission, languageOf, makeContribution, promptToAnswer, type Submission } from './submission.js';

const id = '11111111-1111-4111-8111-111111111111';
const contributor = { ...submissionOf().contributor, email: 'jo+a@example.org' };
const story = submissionOf({ id, body: 'A body of ten characters and more.', contributor });
const inquiry: Submission = { ...story, type: 'inquiry', title: undefined };
const reply: Submission = { ...story, type: 'prompt_reply', title: undefined };
const about = { site: 'org', kind: 'article', id: 'known' } as const;
const now = new Date('2026-06-01T00:00:00Z');

function activePrompt(): Prompt {
  const fields = { id, site: 'org' as const, question: 'What surprised you?', opensAt: null, closesAt: null };
  const act = { actor: 'editor', at: now, reason: '' };
  return openPrompt(createPrompt({ ...fields, activate: true }, act), undefined, act)[0] as Prompt;
}

describe('checkSubmission', () => {
  it.each<[string, Partial<Submission>]>([
    ['a story', {}],
    ['an inquiry on io', { ...inquiry, site: 'io' }],
    ['a report about a text', { ...inquiry, purpose: 'report', about }],
    ['a question about a text', { ...inquiry, about }],
    ['a reply with a prompt', { ...reply, promptId: 'x'.repeat(120) }],
    ['a title of 160 code points', { title: '😀'.repeat(160) }],
    ['a body of 8000 code points', { body: '😀'.repeat(8000) }],
    ['an image in code', { body: 'Write `![a](b.png)` or `<img>`:\n\n    ![a](b.png)' }],
    ['marks that are escaped', { body: 'Write !\\[x](https://example.org/p.png), !\\[[a]] or \\<img src=x>.' }],
    ['the shortest body', { body: '  0123456789  ' }],
    ['a body with hidden characters, for moderators to see', { body: 'The limit was \u202e0001' }],
    ['a Persian title', { title: 'می\u200cخواهم' }],
    ['the longest name', { name: 'é'.repeat(120) }],
    ['the longest key', { idempotencyKey: 'k'.repeat(128) }],
  ])('takes %s', (_, fields) => {
    expect(() => checkSubmission({ ...story, ...fields })).not.toThrow();
  });

  it.each<[string, Partial<Submission>, RegExp]>([
    [
      'a short title',
      { title: ' abc ' },
      /title must have at least 4 characters; it has 3, as white space at the ends does not count/,
    ],
    ['a long title', { title: 'x'.repeat(161) }, /title must have at most 160 characters/],
    ['a title padded beyond its bound', { title: `abcd${' '.repeat(157)}` }, /title must have at most 160/],
    ['a purpose on a story', { purpose: 'report' }, /purpose is not a field of the type story/],
    ['a text on a reply', { ...reply, about }, /about is not a field of the type prompt_reply/],
    ['a correction of nothing', { ...inquiry, purpose: 'correction' }, /about is required for a correction/],
    ['a long slug', { ...inquiry, about: { ...about, id: 'x'.repeat(81) } }, /about must have at most 80/],
    ['a title on an inquiry', { ...inquiry, title: 'A title' }, /title is not a field of the type inquiry/],
    ['a long prompt_id', { ...reply, promptId: 'x'.repeat(121) }, /prompt_id must have at most 120/],
    ['a short body', { body: ' 012345678 ' }, /body must have at least 10 characters; it has 9, as white/],
    ['a long body', { body: 'x'.repeat(8001) }, /body must have at most 8000/],
    ['a long name', { name: 'x'.repeat(121) }, /name must have at most 120/],
    [
      'words that nobody would see',
      { ...reply, body: 'Seen.\n\n|a|\n|-|\n|1|secret|' },
      /body has words in line 5 that no page shows/,
    ],
    ['lists too deep', { ...reply, body: `Seen.\n\n${'- '.repeat(50)}x` }, /body costs too much .* at line 3:/],
    ['a table of nothing', { body: `|${'a|'.repeat(99)}\n|${'-|'.repeat(99)}\n${'|\n'.repeat(99)}` }, /body costs too/],
    ['breaks alone', { ...inquiry, body: '***\n'.repeat(10) }, /body must have .* that can be seen; it has 0/],
    ['empty items alone', { ...inquiry, body: '*\n'.repeat(30) }, /body must have .* that can be seen; it has 0/],
    ['empty code alone', { ...inquiry, body: '```\n```\n'.repeat(5) }, /body must have .* that can be seen; it has 0/],
    ['dots alone', { ...inquiry, body: '. '.repeat(20) }, /body must have .* that can be seen; it has 0/],
    ['an image', { body: 'We moved.\n\n![a](https://example.org/p)' }, /body must not have an image \(line 3\)/],
    ['an image by name', { ...reply, body: 'We moved ![so][1].\n\n[1]: https://a.example/p' }, /image \(line 1\)/],
    ['an image in a link', { ...inquiry, body: 'We moved [![so](/p)](https://example.org/).' }, /image \(line 1\)/],
    ['an image in a cell', { body: '| a |\n|---|\n| ![b](https://example.org/p.png) |' }, /an image \(line \d\)/],
    ['an image in a footnote', { body: 'We[^1] moved.\n\n[^1]: ![b](https://example.org/p.png)' }, /\(line 3\)/],
    ['an image in HTML', { body: 'We moved.\n\n<!-- --><IMG\nSRC="https://example.org/p">' }, /an image \(line 3\)/],
    ['an image of entities', { body: 'We moved. &lt;img src="https://example.org/p.png"&gt;' }, /an image \(line 1\)/],
    ['an image of data', { body: 'We moved. ![a](data:image/png;base64,AAAA)' }, /an image \(line 1\)/],
    ['an image once published', { body: 'We moved.\n\n!\u200b[a](https://example.org/p.png)' }, /an image \(line 3\)/],
    ['an image as title', { title: '![a](https://example.org/p.png)' }, /title must not have an image/],
    ['line breaks of two characters', { ...inquiry, body: 'We moved.\\n\\nWe rested.' }, /send real line breaks/],
    ['a link to nowhere', { body: 'As we said:\n\n[here](/access)' }, /body links to \/access in line 3, which/],
    ['a title on two lines', { title: 'One\nTwo' }, /title must be one line/],
    ['a name of nothing', { name: '\u2800\u0301' }, /name must have a letter/],
    ['a name of blanks', { name: ' \t\u00a0' }, /name must have a letter/],
    ['a title that entities hide', { title: 'Pay&#x202e;fdp' }, /title must not contain U\+202E/],
    ['a NUL', { body: 'ten characters \0' }, /body must be well-formed/],
    ['an unpaired surrogate', { name: '\udc00' }, /name must be well-formed/],
    ['a title that runs backwards', { title: 'Refund policy \u202egnp.exe' }, /title must not contain U\+202E/],
    ['a name with a zero-width space', { name: 'Jo\u200bDoe' }, /U\+200B \(zero-width space\) at character 3/],
    ['a full-width address as a name', { name: 'john＠example.org' }, /name must not have an e-mail address/],
    ['an address in words as a name', { name: 'jo at example dot org' }, /name must not have an e-mail/],
    ['the editors as a name', { name: 'The Editors of org' }, /stands for the service/],
    ['the operator as a name', { name: 'example gmbh' }, /stands for the service/],
    ['an empty key', { idempotencyKey: '' }, /Idempotency-Key is required/],
    ['a long key', { idempotencyKey: 'k'.repeat(129) }, /Idempotency-Key must have at most 128/],
    ['an id that is no UUID', { id: 'x' }, /id must be a UUID/],
  ])('refuses %s', (_, fields, message) => {
    const check = () => checkSubmission({ ...story, ...fields }, 'Example GmbH');
    expect(check).toThrow(expect.objectContaining({ code: 'validation_error' }));
    expect(check).toThrow(message);
  });

  it('reports every invalid field', () => {
    expect(() => checkSubmission({ ...story, title: 'x', body: 'y' })).toThrow(/title .*; body /);
  });

  it('checks fields before the site, the site before a block, and a block before the scope', () => {
    const poor = { ...story, contributor: { ...story.contributor, scopes: [] } };
    const blocked = { ...poor, contributor: { ...poor.contributor, writesBlocked: true } };
    const onIo = { ...blocked, site: 'io' as const };
    const codes = [{ ...onIo, body: '' }, onIo, blocked, poor].map((each) => {
      try {
        checkSubmission(each);
        return 'taken';
      } catch (error) {
        return (error as { code: string }).code;
      }
    });
    expect(codes).toEqual(['validation_error', 'site_restriction', 'writes_blocked', 'insufficient_scope']);
  });
});

describe('promptToAnswer', () => {
  it('throws no_active_prompt if the site has none, with or without a prompt_id', () => {
    for (const each of [reply, { ...reply, promptId: id }]) {
      expect(() => promptToAnswer(each, undefined)).toThrow(expect.objectContaining({ code: 'no_active_prompt' }));
    }
  });

  it('accepts only the active prompt, by default or by its id', () => {
    const active = activePrompt();
    expect(promptToAnswer(reply, active)).toBe(active);
    expect(promptToAnswer({ ...reply, promptId: active.id }, active)).toBe(active);
    for (const promptId of ['', 'other']) {
      const refused = expect.objectContaining({ code: 'validation_error' });
      expect(() => promptToAnswer({ ...reply, promptId }, active)).toThrow(refused);
    }
  });
});

it('languageOf is the language that was sent, or the recognised one of the body', async () => {
  const body = 'Wir haben die Migration an einem Wochenende gemacht.';
  expect(await languageOf({ ...story, body })).toBe('de');
  expect(await languageOf({ ...story, body, language: 'pt-br' })).toBe('pt-BR');
  expect(await languageOf({ ...story, body: '1234567890 42' })).toBe('');
});

it('makeContribution stores the text as sent, and the token, not the address, as its actor', () => {
  const body = '  kept <b>as</b> sent \r\n';
  const made = makeContribution({ ...story, body }, undefined, 'en', now);
  expect(made).toMatchObject({ state: 'pending_review', body, title: story.title, name: null, revision: 1 });
  expect(made.history).toMatchObject([{ from: '', to: 'pending_review', actor: 'token:t1', at: now, revision: 1 }]);
});

describe('the error of a refused submission', () => {
  it.each<[Partial<Submission>, string]>([
    [{ title: undefined }, 'title is required, 4 to 160 characters.'],
    [{ payloadHash: 'a'.repeat(31) }, 'payload_hash must be 16 to 64 bytes.'],
    [{ payloadHash: 'a'.repeat(129) }, 'payload_hash must be 16 to 64 bytes.'],
    [{ contributor: { ...story.contributor, email: '' } }, 'contributor.email is required.'],
    [{ contributor: { ...story.contributor, authorizationId: '' } }, 'contributor.authorization_id is required.'],
    [{ body: '\u200b'.repeat(12) }, 'body must have at least 10 characters that can be seen; it has 0.'],
    [{ body: `123456789\u200b` }, 'body must have at least 10 characters that can be seen; it has 9.'],
    [
      { body: 'Questions?\n\nWrite to Jo+atlas (at) example&period;org.' },
      'body must not contain the e-mail address of the human (line 3): leave it out.',
    ],
    [{ title: 'By jo@example.org' }, 'title must not contain the e-mail address of the human (line 1): leave it out.'],
    [{ name: 'jo@example.org' }, 'name must not have an e-mail address: it is published.'],
    [
      { name: 'Example GmbH' },
      'name must be that of a person or a group: this one stands for the service or those who work for it.',
    ],
    [
      { language: 'x y' },
      'language must be the BCP 47 tag of a known language, such as en, de or pt-BR, not its name.',
    ],
    [{ promptId: 'p' }, 'prompt_id is not a field of the type story.'],
    [{ type: 'prompt_reply' }, 'title is not a field of the type prompt_reply.'],
  ])('of %j', (change, message) => {
    expect(() => checkSubmission({ ...story, ...change }, 'Example GmbH')).toThrow(
      expect.objectContaining({ code: 'validation_error', message }),
    );
  });

  it('does not occur for a hash of 16 to 64 bytes and a valid language code', () => {
    for (const length of [32, 128]) checkSubmission({ ...story, payloadHash: 'a'.repeat(length) });
    checkSubmission({ ...story, language: 'de-CH', name: 'Jo Doe' }, 'Example GmbH');
  });

  it('names the site, and the scope that the token lacks', () => {
    const taken = 'are accepted on org only; send it with "site": "org".';
    expect(() => checkSubmission({ ...story, site: 'io' })).toThrow(`Stories ${taken}`);
    expect(() => checkSubmission({ ...reply, site: 'io' })).toThrow(`Prompt replies ${taken}`);
    for (const each of [story, inquiry, reply]) {
      const poor = { ...story.contributor, scopes: ['read'] };
      expect(() => checkSubmission({ ...each, contributor: poor })).toThrow(
        `The token lacks the scope write:${each.type}; ask for it with a new authorization.`,
      );
    }
  });

  it('names the prompt that replies must use', () => {
    expect(() => promptToAnswer(reply, undefined)).toThrow(
      'No community prompt is active on org; send a story or try later.',
    );
    expect(() => promptToAnswer({ ...reply, promptId: 'other' }, activePrompt())).toThrow(
      `prompt_id must be that of the active prompt, ${id}, or be left out.`,
    );
  });
});

it('stores the prompt and the name of a reply, and has no token as its actor if none was used', () => {
  const { tokenId: _, ...contributor } = story.contributor;
  const sent = { ...reply, name: 'Jo', contributor: { ...contributor, tokenId: '' } };
  expect(makeContribution(sent, activePrompt(), 'en', now)).toMatchObject({
    title: null,
    name: 'Jo',
    prompt: { id, question: 'What surprised you?' },
    history: [{ actor: 'contributor', to: 'pending_review', reason: '' }],
  });
  expect(makeContribution(story, undefined, 'en', now)).toMatchObject({
    prompt: null,
    textHash: expect.stringMatching(/./),
  });
});
