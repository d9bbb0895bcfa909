import { type Attribution, KnowledgeError, type Transition } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { ArticleName } from '../../domain/article.js';
import { checkShown, collectFaults } from '../../domain/bounds.js';

/** An English title and summary that editors wrote for a text in another language. */
export interface Gloss {
  readonly title: string;
  readonly summary: string;
}

/** A stored gloss. */
export interface GlossRecord extends Gloss {
  /** The revision of the text for which the gloss was written. */
  readonly writtenForRevision: number;
  readonly updatedAt: Date;
  readonly updatedBy: string;
}

/** The text to which a gloss belongs. */
export type GlossedText =
  | ({ readonly kind: 'article' } & ArticleName)
  | { readonly kind: 'object'; readonly id: string };

/** The facts of a text that decide whether it can have a gloss. */
export interface TextFacts {
  readonly state: string;
  /** A BCP 47 tag; empty if unknown. */
  readonly language: string;
  readonly revision: number;
}

/** The outcome of a put. Without a transition nothing is written. */
export type GlossOutcome =
  | { readonly outcome: 'unchanged' }
  | {
      readonly outcome: 'created' | 'updated';
      /** Undefined if the gloss is removed. */
      readonly gloss: GlossRecord | undefined;
      readonly transition: Transition;
    };

/** The name of a text, under which its gloss is stored. */
export function glossKey(text: GlossedText): string {
  return text.kind === 'article' ? `article/${text.site}/${text.slug}` : `object/${text.id}`;
}

/** @throws KnowledgeError `validation_error` that lists every fault. */
export function checkGloss({ title, summary }: Gloss): Gloss {
  const faults = collectFaults();
  checkShown(faults, 'gloss.title', title, bounds.articleTitle);
  checkShown(faults, 'gloss.summary', summary, bounds.summary);
  faults.throwIfAny();
  return { title: title.trim(), summary: summary.trim() };
}

/** Whether a text needs no English gloss. */
export function isEnglish(language: string): boolean {
  return /^en(-|$)/i.test(language);
}

/**
 * Decides a put; an undefined gloss is a removal. The log stores it as a change of the text without a new state or
 * revision, so that everything that follows the text reads it again.
 *
 * @throws KnowledgeError `not_found` without such a text, `validation_error` for an English text.
 */
export function decideGloss(
  text: TextFacts | undefined,
  before: GlossRecord | undefined,
  gloss: Gloss | undefined,
  act: Attribution,
): GlossOutcome {
  const { state, language, revision } = requireText(text);
  if (gloss !== undefined && isEnglish(language)) {
    throw new KnowledgeError('validation_error', 'The text is in English, so it has no English gloss.');
  }
  if (isSame(before, gloss)) return { outcome: 'unchanged' };
  const by = { writtenForRevision: revision, updatedAt: act.at, updatedBy: act.actor };
  const reason = act.reason || (gloss === undefined ? 'The English gloss was removed.' : 'The English gloss was set.');
  return {
    outcome: before === undefined ? 'created' : 'updated',
    gloss: gloss && { ...gloss, ...by },
    transition: { ...act, reason, from: state, to: state, revision },
  };
}

/** @throws KnowledgeError `not_found` without such a text. */
export function requireText(text: TextFacts | undefined): TextFacts {
  if (text === undefined) throw new KnowledgeError('not_found', 'There is no such text.');
  return text;
}

function isSame(before: Gloss | undefined, after: Gloss | undefined): boolean {
  return before?.title === after?.title && before?.summary === after?.summary;
}
