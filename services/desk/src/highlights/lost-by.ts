import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';

/** A highlight or a note that a change of the list removes. The service does not store old lists. */
export interface LostHighlight {
  readonly slug: string;
  /** The note that is lost; may be empty if the highlight itself is removed. */
  readonly note: string;
  /** Whether the highlight is removed, and not only its note. */
  readonly isRemoved: boolean;
}

/** Names what a new list of highlights does not have any more. */
export function lostBy(before: readonly HighlightChoice[], after: readonly HighlightChoice[]): LostHighlight[] {
  return before.flatMap<LostHighlight>(({ slug, editorNote: note }) => {
    const now = after.find((each) => each.slug === slug);
    if (now === undefined) return [{ slug, note, isRemoved: true }];
    return note !== '' && now.editorNote !== note ? [{ slug, note, isRemoved: false }] : [];
  });
}
