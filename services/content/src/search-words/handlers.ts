import type {
  PutGlossRequest,
  SearchWordsServiceService,
  Synonym as WireSynonym,
} from '@knowledge/proto/knowledge/content/v1/search';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { requireReason } from '../domain/bounds.js';
import { logChange, toWireOutcome } from '../handlers/wire.js';
import { checkGloss, checkSynonym, type Synonym } from './domain.js';
import type { SearchWordsStore, TextName } from './store.js';

export function searchWordsHandlers(store: SearchWordsStore): Handlers<SearchWordsServiceService> {
  return {
    async listSynonyms(_request, { signal }) {
      return { synonyms: (await store.listSynonyms(signal)).map(toWireSynonym) };
    },

    async putSynonym({ synonym: sent, validateOnly, reason }, context) {
      if (sent === undefined) throw new KnowledgeError('validation_error', 'synonym is required.');
      const put = checkSynonym(sent);
      const act = requireAttribution(context, requireReason(reason));
      const decided = await store.putSynonym(put, act, { signal: context.signal, validateOnly });
      if (!validateOnly) logChange(context, 'synonyms', put.id, decided);
      return { synonym: toWireSynonym(decided.synonym), outcome: toWireOutcome(decided.outcome) };
    },

    async deleteSynonym({ id, reason }, context) {
      const { requestId, signal } = context;
      const act = { ...requireAttribution(context, requireReason(reason)), requestId };
      logChange(context, 'synonyms', id, await store.deleteSynonym(id, act, signal));
      return {};
    },

    async getGloss({ text }, { signal }) {
      const { gloss, revision: textRevision } = await store.readText(requireName(text), signal);
      if (gloss === undefined) throw new KnowledgeError('not_found', 'The text has no gloss.');
      return { ...gloss, gloss, textRevision };
    },

    async putGloss({ text, gloss, validateOnly, reason }, context) {
      const name = requireName(text);
      const checked = gloss && checkGloss(gloss);
      const act = requireAttribution(context, requireReason(reason));
      const decided = await store.putGloss(name, checked, act, { signal: context.signal, validateOnly });
      if (!validateOnly) logChange(context, 'gloss', name.key, decided);
      return { outcome: toWireOutcome(decided.outcome) };
    },
  };
}

function requireName(text: PutGlossRequest['text']): TextName {
  if (text === undefined) throw new KnowledgeError('validation_error', 'article or object_id is required.');
  if (text.$case === 'objectId') return { subject: 'object', key: text.value };
  return { subject: 'article', site: requireSite(text.value.site), key: text.value.slug };
}

function toWireSynonym({ words, from, ...facts }: Synonym): WireSynonym {
  return { ...facts, words: [...words], from: [...from] };
}
