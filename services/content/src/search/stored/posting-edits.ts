import { blockSize, postingsId } from './documents.js';
import type { Step } from './step.js';
import { countTerms, type TextWords } from './text-words.js';

/** The change of the postings of a term in a block. A slot without counts is removed. */
export interface PostingsEdit {
  readonly term: string;
  readonly block: number;
  readonly slots: Map<number, readonly number[] | undefined>;
}

/**
 * What steps change in the postings, by their names. It has every term that a text had in between, because a merge that ended
 * half-way may have written each of them.
 */
export function editPostings(
  steps: readonly Pick<Step, 'texts'>[],
  before: ReadonlyMap<number, TextWords>,
): Map<string, PostingsEdit> {
  const forms = new Map<number, ReadonlyMap<string, readonly number[]>[]>();
  for (const { number, after } of steps.flatMap(({ texts }) => texts)) {
    const known = forms.get(number) ?? [termsOf(before.get(number))];
    forms.set(number, known);
    known.push(termsOf(after?.words));
  }
  const edits = new Map<string, PostingsEdit>();
  for (const [number, each] of forms) {
    const block = Math.floor(number / blockSize);
    const last = each.at(-1);
    for (const term of new Set(each.flatMap((terms) => [...terms.keys()]))) {
      const counts = last?.get(term);
      if (each.every((terms) => terms.get(term)?.join() === counts?.join())) continue;
      const id = postingsId(block, term);
      const edit = edits.get(id) ?? { term, block, slots: new Map() };
      edit.slots.set(number % blockSize, counts);
      edits.set(id, edit);
    }
  }
  return edits;
}

function termsOf(words: TextWords | undefined): ReadonlyMap<string, readonly number[]> {
  return words === undefined ? new Map() : countTerms(words);
}
