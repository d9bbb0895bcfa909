import type { Compounds } from '../analysis/compounds.js';
import { factsOf } from '../filter.js';
import { type PreparedTerms, prepare } from '../index/prepare.js';
import type { SearchText } from '../texts/search-text.js';

/** Changes with the analysis and with the mapping, so that another release fills an index of its own. */
export const indexForm = 1;

const keyword = { type: 'keyword' };
// As many places as between two parts in the order of the words.
const words = { type: 'text', analyzer: 'whitespace', position_increment_gap: 3 };

/** The settings and fields of an index. One shard knows how frequent each word is in all texts. */
export const indexDefinition = {
  settings: {
    number_of_shards: 1,
    auto_expand_replicas: '0-1',
    refresh_interval: '500ms',
    similarity: { default: { type: 'BM25', k1: 1.2, b: 0.75 } },
  },
  mappings: {
    dynamic: false,
    _source: { includes: ['sequence', 'language', 'languages', 'position', 'by', 'until'] },
    properties: {
      whole: words,
      title: words,
      headings: words,
      key: keyword,
      site: keyword,
      kind: keyword,
      language: keyword,
      tags: keyword,
      names: keyword,
      updatedAt: { type: 'date' },
      worth: { type: 'float' },
    },
  },
};

/** A text as the index takes it. Its words are prepared here, so the engine only splits them at spaces. */
export function documentOf(text: SearchText, compounds: Compounds) {
  const { whole, title, headings, worth } = prepare(text, compounds);
  return {
    ...factsOf(text),
    worth,
    sequence: whole.sequence.join(' '),
    whole: [...partsOf(whole), ...furtherTerms(whole)],
    title: partsOf(title),
    headings: partsOf(headings),
  };
}

function partsOf({ sequence }: PreparedTerms): string[] {
  return sequence.join(' ').split(/ {2,}/);
}

/** What a word counts beyond the places where it stands, since a field may weigh more than one. */
function furtherTerms({ sequence, counts }: PreparedTerms): string[] {
  const further = new Map(counts);
  for (const term of sequence) further.set(term, (further.get(term) ?? 0) - 1);
  return [...further].flatMap(([term, count]) => Array<string>(Math.max(0, count)).fill(term));
}
