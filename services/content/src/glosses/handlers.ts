import type { PutGlossRequest, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { KnowledgeError, refuse } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { requireReason } from '../base/bounds.js';
import { logChange, toWireOutcome } from '../base/wire.js';
import { checkGloss } from './domain.js';
import type { GlossStore, TextName } from './store.js';

export function glossHandlers(store: GlossStore): Pick<Handlers<SearchWordsServiceService>, 'getGloss' | 'putGloss'> {
  return {
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
  if (text === undefined) refuse('article or object_id is required');
  if (text.$case === 'objectId') return { subject: 'object', key: text.value };
  return { subject: 'article', site: requireSite(text.value.site), key: text.value.slug };
}
