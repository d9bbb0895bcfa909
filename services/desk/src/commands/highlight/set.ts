import { EditorialServiceService, type HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { siteOption } from '../../options.js';
import { changeHighlights } from './change.js';

interface Options {
  site: string;
  note: string[];
  clear?: boolean;
}

export function addHighlightSet(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('set')
    .description(
      "replace a site's highlights by these articles, in this order; an article that stays keeps its note if you give no new one",
    )
    .argument('[slugs...]', 'published articles of the site')
    .addOption(siteOption().makeOptionMandatory())
    .option(
      '--note <slug=text>',
      'why the editors chose it; may be repeated',
      (value, all: string[]) => [...all, value],
      [],
    )
    .option('--clear', 'leave the site without highlights')
    .action(
      handle(async (session, words: string[], { site, note, clear = false }: Options) => {
        const wanted = readChoices(words, note, clear);
        const editorial = session.connect('content', EditorialServiceService);
        await changeHighlights(session, editorial, site, (before) => keepNotes(wanted, before));
      }),
    );
  addExamples(
    command,
    'highlight set --site org rolling-out-sso expired-certificate-saturday',
    'highlight set --site org rolling-out-sso --note "rolling-out-sso=The second week is the one to read."',
    'highlight set --site io --clear',
  );
}

/** A highlight from the command line. If it has no note, the highlight keeps its current note. */
export interface WantedHighlight {
  readonly slug: string;
  readonly editorNote?: string;
}

/** Adds the current note to each highlight for which the command line gives none. */
export function keepNotes(wanted: readonly WantedHighlight[], before: readonly HighlightChoice[]): HighlightChoice[] {
  const notes = new Map(before.map(({ slug, editorNote }) => [slug, editorNote]));
  return wanted.map(({ slug, editorNote }) => ({ slug, editorNote: editorNote ?? notes.get(slug) ?? '' }));
}

/**
 * Reads the slugs and notes of a command line. Slugs never contain `=`, so a word with `=` is a note.
 *
 * @throws UsageError if a note has no slug in the list, or comes twice.
 */
export function readChoices(words: readonly string[], notes: readonly string[], clear: boolean): WantedHighlight[] {
  const slugs = words.filter((word) => !word.includes('='));
  if (clear !== (slugs.length === 0)) {
    throw new UsageError(clear ? '--clear takes no slugs.' : 'Name the slugs, or give --clear for no highlights.');
  }
  const texts = new Map<string, string>();
  for (const note of [...notes, ...words.filter((word) => word.includes('='))]) {
    const at = note.indexOf('=');
    const slug = note.slice(0, at);
    if (at < 1) throw new UsageError(`--note ${note}: give it as SLUG=TEXT.`);
    if (!slugs.includes(slug)) throw new UsageError(`--note ${slug}=…: ${slug} is not among the slugs.`);
    if (texts.has(slug)) throw new UsageError(`--note ${slug}=…: given twice.`);
    texts.set(slug, note.slice(at + 1));
  }
  return slugs.map((slug) => {
    const editorNote = texts.get(slug);
    return { slug, ...(editorNote !== undefined && { editorNote }) };
  });
}
