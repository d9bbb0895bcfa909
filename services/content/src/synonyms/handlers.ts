import type {
  PutSynonymsRequest,
  SearchWordsServiceService,
  Synonym as WireSynonym,
} from '@knowledge/proto/knowledge/content/v1/search';
import { type HandlerContext, type Handlers, requireAttribution, toStatus } from '@knowledge/runtime/grpc';
import { bounds } from '@knowledge/runtime/product';
import { check, requireReason } from '../base/bounds.js';
import { logChange, toWireOutcome } from '../base/wire.js';
import type { Synonym, SynonymDecision } from './domain.js';
import type { SynonymStore } from './store.js';

export function synonymHandlers(
  store: SynonymStore,
): Omit<Handlers<SearchWordsServiceService>, 'getGloss' | 'putGloss'> {
  const putSynonyms = async ({ synonyms, validateOnly, reason }: PutSynonymsRequest, context: HandlerContext) => {
    const act = requireAttribution(context, requireReason(reason));
    const decided = await store.putSynonyms(synonyms, act, { signal: context.signal, validateOnly });
    for (const each of decided)
      if (!validateOnly && each.outcome !== 'refused') logChange(context, 'synonyms', each.synonym.id, each);
    return decided;
  };

  return {
    async listSynonyms(_request, { signal }) {
      return { synonyms: (await store.listSynonyms(signal)).map(toWireSynonym) };
    },

    async putSynonym({ synonym, ...rest }, context) {
      check(synonym !== undefined, 'synonym is required.');
      const [decided] = (await putSynonyms({ synonyms: [synonym], ...rest }, context)) as [SynonymDecision];
      if (decided.outcome === 'refused') throw decided.error;
      return { synonym: toWireSynonym(decided.synonym), outcome: toWireOutcome(decided.outcome) };
    },

    async putSynonyms(request, context) {
      const { length } = request.synonyms;
      const { min, max } = bounds.synonymsAtOnce;
      check(length >= min && length <= max, `synonyms must be ${min} to ${max} groups.`);
      const results = (await putSynonyms(request, context)).map((each) =>
        each.outcome === 'refused'
          ? { result: { $case: 'error' as const, value: toStatus(each.error, context.requestId) } }
          : { result: { $case: 'outcome' as const, value: toWireOutcome(each.outcome) } },
      );
      return { results };
    },

    async deleteSynonym({ id, reason }, context) {
      const { requestId, signal } = context;
      const act = { ...requireAttribution(context, requireReason(reason)), requestId };
      logChange(context, 'synonyms', id, await store.deleteSynonym(id, act, signal));
      return {};
    },
  };
}

function toWireSynonym({ words, from, ...facts }: Synonym): WireSynonym {
  return { ...facts, words: [...words], from: [...from] };
}
