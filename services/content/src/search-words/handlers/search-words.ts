import type {
  PutGlossRequest,
  SearchWordsServiceService,
  Synonym as WireSynonym,
} from '@knowledge/proto/knowledge/content/v1/search';
import { KnowledgeError } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { isSlug, isUuid, requireReason } from '../../domain/bounds.js';
import { toWireOutcome } from '../../handlers/wire-enums.js';
import { checkGloss } from '../domain/gloss.js';
import { checkSynonym, type Synonym } from '../domain/synonym.js';
import type { GlossStore, TextName } from '../store/glosses.js';
import type { SynonymStore } from '../store/synonyms.js';

export function searchWordsHandlers(synonyms: SynonymStore, glosses: GlossStore): Handlers<SearchWordsServiceService> {
  return {
    async listSynonyms(_request, { signal }) {
      return { synonyms: (await synonyms.list(signal)).map(toWireSynonym) };
    },

    async putSynonym({ synonym, validateOnly, reason }, context) {
      if (synonym === undefined) throw new KnowledgeError('validation_error', 'synonym is required.');
      const { id, words, from } = synonym;
      const put = checkSynonym({ id, words, from });
      const act = requireAttribution(context, requireReason(reason));
      const result = await synonyms.put(put, act, { signal: context.signal, validateOnly });
      if (!validateOnly && result.outcome !== 'unchanged') {
        context.log.info({ name: id, outcome: result.outcome, actor: act.actor }, 'synonyms changed');
      }
      return { synonym: toWireSynonym(result.synonym), outcome: toWireOutcome(result.outcome) };
    },

    async deleteSynonym({ id, reason }, context) {
      const act = { ...requireAttribution(context, requireReason(reason)), requestId: context.requestId };
      if (!isSlug(id)) throw new KnowledgeError('not_found', 'There is no such group of synonyms.');
      const removed = await synonyms.remove(id, act, context);
      if (removed !== undefined) context.log.info({ name: id, actor: act.actor }, 'synonyms deleted');
      return {};
    },

    async getGloss({ text }, { signal }) {
      const { gloss, revision: textRevision } = await glosses.read(requireName(text), signal);
      if (gloss === undefined) throw new KnowledgeError('not_found', 'The text has no gloss.');
      const { title, summary, writtenForRevision, updatedAt, updatedBy } = gloss;
      return { gloss: { title, summary }, updatedBy, updatedAt, writtenForRevision, textRevision };
    },

    async putGloss({ text, gloss, validateOnly, reason }, context) {
      const name = requireName(text);
      const checked = gloss && checkGloss(gloss);
      const act = requireAttribution(context, requireReason(reason));
      const { outcome } = await glosses.put(name, checked, act, { signal: context.signal, validateOnly });
      if (!validateOnly && outcome !== 'unchanged') {
        context.log.info({ ...name, removed: gloss === undefined, actor: act.actor }, 'gloss changed');
      }
      return { outcome: toWireOutcome(outcome) };
    },
  };
}

/** Reads the name of a text. A name that no text can have is `not_found`, as elsewhere. */
function requireName(text: PutGlossRequest['text']): TextName {
  if (text === undefined) throw new KnowledgeError('validation_error', 'article or object_id is required.');
  if (text.$case === 'objectId') {
    if (!isUuid(text.value)) throw unknownText();
    return { subject: 'object', key: text.value };
  }
  const site = requireSite(text.value.site);
  if (!isSlug(text.value.slug)) throw unknownText();
  return { subject: 'article', site, key: text.value.slug };
}

function toWireSynonym({ id, words, from, updatedBy, updatedAt }: Synonym): WireSynonym {
  return { id, words: [...words], from: [...from], updatedBy, updatedAt };
}

function unknownText(): KnowledgeError {
  return new KnowledgeError('not_found', 'There is no such text.');
}
