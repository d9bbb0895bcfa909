import { EditorialServiceService, type HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { DeskError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { parseCount, siteOption } from '../../options.js';
import { changeHighlights } from './change.js';

/** Adds `highlight add`, `highlight remove` and `highlight note`, which change one highlight. */
export function addHighlightEdits(parent: Command, handle: CommandHandler): void {
  const add = parent
    .command('add')
    .description("add an article to a site's highlights, or move it")
    .argument('<slug>', 'a published article of the site')
    .addOption(siteOption().makeOptionMandatory())
    .addOption(new Option('--at <n>', 'its position (default: the last)').argParser(parseCount))
    .option('--note <text>', 'why the editors chose it')
    .action(
      handle(async (session, slug: string, { site, at, note }: { site: string; at?: number; note?: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        await changeHighlights(session, editorial, site, (before) => withHighlight(before, slug, at, note));
      }),
    );
  addExamples(add, 'highlight add rolling-out-sso --site org --at 1 --note "The second week is the one to read."');

  const remove = parent
    .command('remove')
    .description("take articles out of a site's highlights")
    .argument('<slugs...>', 'highlights of the site')
    .addOption(siteOption().makeOptionMandatory())
    .action(
      handle(async (session, slugs: string[], { site }: { site: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        await changeHighlights(session, editorial, site, (before) => {
          for (const slug of slugs) requireHighlight(before, slug, site);
          return before.filter((each) => !slugs.includes(each.slug));
        });
      }),
    );
  addExamples(remove, 'highlight remove rolling-out-sso --site org');

  const note = parent
    .command('note')
    .description('give a highlight another note')
    .argument('<slug>', 'a highlight of the site')
    .argument('<text>', 'why the editors chose it; may be empty')
    .addOption(siteOption().makeOptionMandatory())
    .action(
      handle(async (session, slug: string, text: string, { site }: { site: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        await changeHighlights(session, editorial, site, (before) => {
          requireHighlight(before, slug, site);
          return before.map((each) => (each.slug === slug ? { slug, editorNote: text } : each));
        });
      }),
    );
  addExamples(note, 'highlight note rolling-out-sso "The second week is the one to read." --site org');
}

/** Adds or moves a highlight. If `at` is undefined, a new one goes to the end and an existing one stays. */
export function withHighlight(
  before: readonly HighlightChoice[],
  slug: string,
  at: number | undefined,
  note: string | undefined,
): HighlightChoice[] {
  const old = before.findIndex((each) => each.slug === slug);
  const choice = { slug, editorNote: note ?? before[old]?.editorNote ?? '' };
  const others = before.filter((each) => each.slug !== slug);
  const place = at === undefined ? (old < 0 ? others.length : old) : at - 1;
  return others.toSpliced(place, 0, choice);
}

function requireHighlight(before: readonly HighlightChoice[], slug: string, site: string): void {
  if (before.some((each) => each.slug === slug)) return;
  throw new DeskError(
    'not_found',
    `${slug} is no highlight of ${site}. "knowledge highlight list" shows what there is.`,
  );
}
