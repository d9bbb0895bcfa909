import { type Attribution, refuse, refuseFaults } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { titleFault } from '../base/bounds.js';
import type { Gloss, GlossRecord } from '../base/search-words.js';

/** What decides whether a text can have a gloss, and the gloss that it has. */
export interface GlossedText {
  readonly state: string;
  /** A BCP 47 tag; empty if unknown. */
  readonly language?: string;
  readonly revision: number;
  readonly gloss?: GlossRecord;
}

/** @throws KnowledgeError `validation_error` that lists every fault. */
export function checkGloss({ title, summary }: Gloss) {
  refuseFaults([
    titleFault('gloss.title', title, bounds.articleTitle),
    titleFault('gloss.summary', summary, bounds.summary),
  ]);
  return { title: title.trim(), summary: summary.trim() };
}

/**
 * Decides a put; an undefined gloss is a removal. The log stores it as a change of the text without a new state or
 * revision, so that everything that follows the text reads it again. Without a transition nothing is written.
 *
 * @throws KnowledgeError `validation_error` for an English text.
 */
export function decideGloss(
  { state, language = '', revision, gloss: before }: GlossedText,
  gloss: Gloss | undefined,
  act: Attribution,
) {
  if (gloss !== undefined && /^en(-|$)/i.test(language)) {
    refuse('The text is in English, so it has no English gloss');
  }
  if (before?.title === gloss?.title && before?.summary === gloss?.summary) return { outcome: 'unchanged' } as const;
  const by = { writtenForRevision: revision, updatedAt: act.at, updatedBy: act.actor };
  const reason = act.reason || (gloss === undefined ? 'The English gloss was removed.' : 'The English gloss was set.');
  return {
    outcome: before === undefined ? 'created' : 'updated',
    gloss: gloss && { ...gloss, ...by },
    transition: { ...act, reason, from: state, to: state, revision },
  } as const;
}
