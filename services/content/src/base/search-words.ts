/** An English title and summary that editors wrote for a text in another language. */
export interface Gloss {
  readonly title: string;
  readonly summary: string;
}

/** A gloss as a field of its text. A new revision of the text keeps it. */
export interface GlossRecord extends Gloss {
  /** The revision of the text for which the gloss was written. */
  readonly writtenForRevision: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The words of a group of synonyms. */
export interface SynonymWords {
  /** A search for one of these words or phrases finds all of them. */
  readonly words: readonly string[];
  /** A search for one of these also finds `words`, and not the other way round. */
  readonly from: readonly string[];
}
