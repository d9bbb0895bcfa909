import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { UsageError } from '../base/desk-error.js';

/** A highlight from the command line. If it has no note, the highlight keeps its current note. */
interface WantedHighlight {
  readonly slug: string;
  readonly editorNote?: string;
}

/** Adds the current note to each highlight for which the command line gives none. */
export function keepNotes(wanted: readonly WantedHighlight[], before: readonly HighlightChoice[]): HighlightChoice[] {
  const notes = new Map(before.map(({ slug, editorNote }) => [slug, editorNote]));
  return wanted.map(({ slug, editorNote }) => ({ slug, editorNote: editorNote ?? notes.get(slug) ?? '' }));
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
  const place = old < 0 ? others.length : old;
  return others.toSpliced(at === undefined ? place : at - 1, 0, choice);
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

export type LostHighlight = ReturnType<typeof lostBy>[number];

/** The highlights that a new list removes, and those that lose only their note. The service does not store old lists. */
export function lostBy(before: readonly HighlightChoice[], after: readonly HighlightChoice[]) {
  return before.flatMap(({ slug, editorNote: note }) => {
    const now = after.find((each) => each.slug === slug);
    if (now === undefined) return [{ slug, note, isRemoved: true }];
    return note !== '' && now.editorNote !== note ? [{ slug, note, isRemoved: false }] : [];
  });
}
