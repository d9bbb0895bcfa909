import {
  ArticleDraftServiceService,
  type PutArticleDraftRequest,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { hasCode } from '@knowledge/runtime/client';
import { DeskError, UsageError } from '../base/desk-error.js';
import { readNamedFile } from '../base/host.js';
import { readAtRevision } from '../base/ids.js';
import type { ArticleDraftCalls } from '../base/services.js';
import { callsOf, type Session } from '../base/session.js';
import { formatDetails, formatText, type Lines, type Paint, terminalSafeText } from '../base/text.js';
import { readableTime } from '../base/time.js';
import { requireField, sites } from '../base/words.js';
import { findContributionId, moderation } from '../contributions/cli-find.js';
import { putOutcomes } from '../files/put-result.js';
import { confirm } from '../terminal/ask.js';
import { command, group, result } from '../terminal/command-table.js';
import { type Given, parseCount, parseTime, reason, site } from '../terminal/options.js';
import { articleMarkdown, readArticleFile } from './article-file.js';
import { articleOf, type NamedArticle, printDifference } from './cli-revisions.js';
import { putDraft, readCorrection, readDraft, reasonOf } from './drafts.js';
import { type DraftView, presentArticle, presentDraft, textLines } from './present-article.js';

const drafts = callsOf('content', ArticleDraftServiceService);

const itsSite = site('its site; needed only where both sites have the slug');
const article = { '<slug>': 'the name of the article in URLs', ...itsSite } as const;

/**
 * Finds an article by its slug, the draft of its next revision, and what calls say that end it.
 *
 * @throws DeskError `not_found` that says how to make one.
 */
async function requireDraft(session: Session, { slug, site }: NamedArticle) {
  const record = await articleOf(session, { slug, site });
  const article = { ...record, entry: requireField(record.entry) };
  const draft = await readDraft(drafts(session), article.entry);
  if (draft !== undefined) {
    const ending = { site: article.entry.site, slug, expectedRevision: draft.notice.revision };
    return { article, draft, ending };
  }
  const how = '"knowledge article next put FILE" makes one, from a file of "knowledge article export".';
  throw new DeskError('not_found', `There is no draft of the next revision of ${slug}. ${how}`);
}

const putTakes = {
  '<file>': 'a Markdown file with front matter, as "article import" reads it',
  ...site('the site, if the file does not name it'),
  '--base <n>': {
    about: 'the revision on which the text is based, after a comparison',
    parse: parseCount,
  },
  '--overwrite': 'overwrite the draft that is there, whatever its revision',
  '--dry-run': 'check the file, and write nothing',
  ...reason(),
  '--from-inquiry <id>': {
    about: 'the inquiry whose correction it brings in; becomes the reason',
    conflicts: 'reason',
  },
} as const;

/** `knowledge article next …`: the draft of the next revision, which readers see only when it is published. */
export const nextRevision = group({
  about: 'the draft of the next revision of an article that readers see: write, compare, publish now or at a time',
  commands: {
    show: command({
      about: 'show the draft of the next revision, who wrote it, and when it appears',
      takes: { ...article, '--markdown': 'write it as a file that "article next put" reads' },
      run: async (session, given) => {
        const { draft } = await requireDraft(session, given);
        const file = articleMarkdown(draft, draft.notice.revision).replace(/\n$/, '');
        const shown = session.host.stdout.isTTY ? terminalSafeText(file) : file;
        session.print.result(presentDraft(draft), given.markdown ? () => shown : formatDraft);
      },
      examples: [
        'article next show rolling-out-sso',
        'article next show rolling-out-sso --markdown > rolling-out-sso.md',
      ],
    }),
    put: result({
      about:
        'make a file of "article export" or "article next show --markdown" the draft; safe to repeat. Its revision is the ' +
        'one on which the text is based, and its draft_revision keeps the work of others from being overwritten',
      takes: putTakes,
      run: async (session, given) => {
        const file = await readDraftFile(session, given);
        const request = { ...file, reason: await reasonFor(session, file, given.fromInquiry) };
        const { draft, outcome } = await putOrExplain(drafts(session), request, given.overwrite);
        const { draft: notice, body: _, ...facts } = presentDraft(requireField(draft));
        return { ...facts, draft: notice, outcome: putOutcomes.fromWire(outcome) };
      },
      text: ({ slug, site, outcome, draft }, _, { dryRun }) => {
        const what = `The draft of the next revision of ${slug} on ${site}`;
        return dryRun ? `${what} would be ${outcome}.` : `${what} is ${outcome}; it has revision ${draft.revision}.`;
      },
      examples: [
        'article next put ./export/org/rolling-out-sso.md',
        'article next put rolling-out-sso.md --from-inquiry 0d1f6c52',
        'article next put rolling-out-sso.md --base 4 --reason "brought to the new revision"',
      ],
    }),
    diff: command({
      about: 'show what the draft would change in the article as readers have it now',
      takes: { ...article, '--words': 'show changed words inside their lines, as [-removed-] and {+added+}' },
      run: async (session, given) => {
        const { article, draft } = await requireDraft(session, given);
        const { body: _, ...view } = presentDraft(draft);
        const base = view.is_outdated ? `, which is based on revision ${view.draft.base_revision}` : '';
        const heading = `revision ${view.article_revision} → the draft by ${view.draft.authors.join(', ')}${base}`;
        printDifference(session, [article, draft], { view, heading, words: given.words });
      },
      examples: ['article next diff rolling-out-sso --words', 'article next diff rolling-out-sso --json'],
    }),
    publish: result({
      about: 'make the draft the next revision, which readers see at once or from a time on',
      takes: {
        '<slug>': 'the name of the article in URLs; SLUG@revision to refuse a draft that changed since',
        ...itsSite,
        '--at <time>': {
          about: 'when readers get it; a change of the article before then stops it',
          parse: parseTime,
        },
        ...reason(),
      },
      run: async (session, { slug: word, site: wanted, at, reason }) => {
        const { id: slug, revision } = readAtRevision(word);
        const { ending } = await requireDraft(session, { slug, site: wanted });
        const request = { ...ending, at, reason, expectedRevision: revision || ending.expectedRevision };
        const { article } = await drafts(session).publishArticleDraft(request);
        return presentArticle(requireField(article));
      },
      text: ({ slug, site, state, revision, draft }) =>
        draft === null
          ? `${slug} on ${site} is ${state} and has revision ${revision} now.`
          : `The draft of ${slug} on ${site} appears at ${readableTime(draft.publish_at)} UTC.`,
      examples: [
        'article next publish rolling-out-sso --reason "with the release"',
        'article next publish rolling-out-sso --at 2026-06-01T09:00:00Z',
      ],
    }),
    unschedule: result({
      about: 'take the time back at which the draft would appear; the draft stays',
      takes: { ...article, ...reason() },
      run: async (session, given) => {
        const { ending } = await requireDraft(session, given);
        const { draft } = await drafts(session).unscheduleArticleDraft({ ...ending, reason: given.reason });
        const { body: _, ...view } = presentDraft(requireField(draft));
        return view;
      },
      text: ({ site }, _, { slug }) => `The draft of ${slug} on ${site} has no time now.`,
      examples: ['article next unschedule rolling-out-sso --reason "the release is late"'],
    }),
    discard: result({
      about: 'delete the draft with its text; the article does not change',
      takes: { ...article, ...reason() },
      run: async (session, given) => {
        const { draft, ending } = await requireDraft(session, given);
        const { slug, reason } = given;
        const site = sites.fromWire(ending.site);
        const by = draft.notice.authors.join(', ');
        await confirm(session, `Delete the draft of ${slug} on ${site} by ${by}: its text is lost.`);
        await drafts(session).discardArticleDraft({ ...ending, reason });
        return { slug, site, state: 'discarded' };
      },
      text: ({ slug, site }) => `The draft of ${slug} on ${site} is deleted.`,
      examples: ['article next discard rolling-out-sso --reason "not needed"'],
    }),
  },
  examples: [
    'article next put rolling-out-sso.md --site org',
    'article next diff rolling-out-sso',
    'article next publish rolling-out-sso --at 2026-06-01T09:00:00Z --reason "with the release"',
  ],
});

async function readDraftFile(session: Session, given: Given<typeof putTakes>): Promise<PutArticleDraftRequest> {
  const { file, site, base, overwrite, dryRun, reason } = given;
  const { article, revision, draftRevision } = await readArticleFile(readNamedFile(session.host, file), file, site);
  const baseRevision = base ?? revision;
  if (baseRevision === 0) {
    throw new UsageError(
      `${file} does not say on which revision its text is based: give --base, or "revision" in the file.`,
    );
  }
  return { ...article, baseRevision, expectedRevision: overwrite ? 0 : draftRevision, reason, validateOnly: dryRun };
}

async function reasonFor(session: Session, article: PutArticleDraftRequest, inquiry: string | undefined) {
  if (inquiry === undefined) return article.reason;
  const id = await findContributionId(session, inquiry);
  return reasonOf(await readCorrection(moderation(session), id, article));
}

async function putOrExplain(calls: ArticleDraftCalls, request: PutArticleDraftRequest, overwrite: boolean) {
  if (overwrite) return calls.putArticleDraft(request);
  try {
    return await putDraft(calls, request);
  } catch (error) {
    if (!hasCode(error, 'invalid_state') || request.expectedRevision > 0) throw error;
    const what = error instanceof Error ? error.message : '';
    const how = `Bring your change to "knowledge article next show ${request.slug} --markdown", or overwrite it with --overwrite.`;
    throw new DeskError('invalid_state', `${what} ${how}`, { cause: error });
  }
}

function formatDraft({ draft, ...article }: DraftView, paint: Paint) {
  return formatDetails({ ...article, ...draft }, draftLines, paint) + formatText('Body', article.body, paint);
}

const draftLines: Lines<Omit<DraftView, 'draft'> & DraftView['draft']> = {
  slug: 'slug',
  site: 'site',
  ...textLines,
  words: 'word_count',
  'based on': ({ base_revision: base, is_outdated, article_revision: now }) =>
    `${base}${is_outdated ? ` (the article has ${now} now)` : ''}`,
  'draft revision': 'revision',
  'written by': ({ authors }) => authors.join(', '),
  'changed, UTC': 'updated_at',
  'appears, UTC': 'publish_at',
  'decided by': 'scheduled_by',
  'missed, UTC': 'missed_at',
  because: 'missed_reason',
};
