import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService, type HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type HighlightView, presentHighlight } from '../articles/present-article.js';
import { DeskError } from '../base/desk-error.js';
import { callsOf, type Session } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { sites } from '../base/words.js';
import { confirm } from '../terminal/ask.js';
import { command, group } from '../terminal/command-table.js';
import { limit, parseCount, repeated, requiredSite } from '../terminal/options.js';
import { keepNotes, type LostHighlight, lostBy, readChoices, withHighlight } from './highlights.js';

const content = callsOf('content', ContentServiceService);
const editorial = callsOf('content', EditorialServiceService);

const columns: Columns<HighlightView> = {
  '#': 'position',
  title: { value: 'title', flexible: true },
  note: { value: 'editor_note', flexible: true },
  slug: { value: 'slug', neverCut: true },
};

/** `knowledge highlight …`, for editors. */
export const highlight = group({
  commands: {
    set: command({
      about:
        "replace a site's highlights by these articles, in this order; an article that stays keeps its note if you give no new one",
      takes: {
        '[slugs...]': 'published articles of the site',
        ...requiredSite,
        '--note <slug=text>': { about: 'why the editors chose it; may be repeated', ...repeated },
        '--clear': 'leave the site without highlights',
      },
      run: async (session, { slugs, site, note, clear }) => {
        const wanted = readChoices(slugs, note, clear);
        await changeHighlights(session, site, (before) => keepNotes(wanted, before));
      },
      examples: [
        'highlight set --site org rolling-out-sso expired-certificate-saturday',
        'highlight set --site org rolling-out-sso --note "rolling-out-sso=The second week is the one to read."',
        'highlight set --site io --clear',
      ],
    }),
    add: command({
      about: "add an article to a site's highlights, or move it",
      takes: {
        '<slug>': 'a published article of the site',
        ...requiredSite,
        '--at <n>': { about: 'its position (default: the last)', parse: parseCount },
        '--note <text>': { about: 'why the editors chose it' },
      },
      run: (session, { slug, site, at, note }) =>
        changeHighlights(session, site, (before) => withHighlight(before, slug, at, note)),
      examples: ['highlight add rolling-out-sso --site org --at 1 --note "The second week is the one to read."'],
    }),
    remove: command({
      about: "take articles out of a site's highlights",
      takes: { '<slugs...>': 'highlights of the site', ...requiredSite },
      run: (session, { slugs, site }) =>
        changeHighlights(session, site, (before) => {
          for (const slug of slugs) requireHighlight(before, slug, site);
          return before.filter((each) => !slugs.includes(each.slug));
        }),
      examples: ['highlight remove rolling-out-sso --site org'],
    }),
    note: command({
      about: 'give a highlight another note',
      takes: {
        '<slug>': 'a highlight of the site',
        '<text>': { about: 'why the editors chose it; may be empty' },
        ...requiredSite,
      },
      run: (session, { slug, text, site }) =>
        changeHighlights(session, site, (before) => {
          requireHighlight(before, slug, site);
          return before.map((each) => (each.slug === slug ? { slug, editorNote: text } : each));
        }),
      examples: ['highlight note rolling-out-sso "The second week is the one to read." --site org'],
    }),
    list: command({
      about: "list a site's highlights in their order",
      takes: { ...requiredSite, ...limit },
      run: async (session, { site, limit }) => {
        const { highlights } = await content(session).listHighlights({ site: sites.toWire(site) });
        const shown = highlights.slice(0, limit).map(presentHighlight);
        const cut = shown.length < highlights.length;
        session.print.list(shown, columns, { one: 'highlight', none: `No highlights on ${site}.`, cut });
      },
      examples: ['highlight list --site org'],
    }),
  },
  examples: ['highlight list --site org', 'highlight set --site org rolling-out-sso restore-drill-with-a-stopwatch'],
});

/**
 * Changes the highlights of a site and prints the new list. Asks the user first if a highlight or a note would be lost,
 * because the service does not store old lists. A list that somebody changed meanwhile is not overwritten.
 */
async function changeHighlights(
  session: Session,
  site: string,
  decide: (before: readonly HighlightChoice[]) => HighlightChoice[],
) {
  const stored = await content(session).listHighlights({ site: sites.toWire(site) });
  const before = stored.highlights.map(({ entry, editorNote }) => ({ slug: entry?.slug ?? '', editorNote }));
  const wanted = decide(before);
  const lost = lostBy(before, wanted);
  if (lost.length > 0) {
    const what = `This changes the highlights of ${site}. Removed highlights and notes are not kept.`;
    await confirm(session, what, lost.map(describe).join('\n'));
  }
  const request = { site: sites.toWire(site), highlights: wanted, expectedRevision: stored.revision };
  const { highlights } = await editorial(session).setHighlights(request);
  const none = `${site} has no highlights now.`;
  session.print.list(highlights.map(presentHighlight), columns, { one: 'highlight', none });
}

function describe({ slug, note, isRemoved }: LostHighlight) {
  if (!isRemoved) return `${slug} loses its note: ${note}`;
  return `${slug} is removed${note === '' ? '' : `, with its note: ${note}`}`;
}

function requireHighlight(before: readonly HighlightChoice[], slug: string, site: string) {
  if (before.some((each) => each.slug === slug)) return;
  throw new DeskError(
    'not_found',
    `${slug} is no highlight of ${site}. "knowledge highlight list" shows what there is.`,
  );
}
