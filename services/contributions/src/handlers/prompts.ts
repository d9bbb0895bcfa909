import type { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError, pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { optionalSite, requireSite, toWireTransition } from '@knowledge/runtime/wire';
import { closePrompt, correctPrompt, createPrompt, openPrompt } from '../domain/prompt.js';
import type { PromptStore } from '../store/prompts.js';
import { optionalPromptState, toWirePrompt } from './wire-contribution.js';

export function promptHandlers({ prompts }: { prompts: PromptStore }): Handlers<PromptServiceService> {
  return {
    async createPrompt({ id, question, opensAt = null, closesAt = null, activate, ...request }, context) {
      const site = requireSite(request.site);
      const act = requireAttribution(context);
      const made = createPrompt({ id, site, question, opensAt, closesAt, activate }, act);
      const prompt = await prompts.create(
        made,
        (_, active) => (activate ? openPrompt(made, active, act) : [made]),
        context,
      );
      return { prompt: toWirePrompt(prompt) };
    },

    async activatePrompt({ id }, context) {
      const act = requireAttribution(context);
      const prompt = await prompts.change(id, (scheduled, active) => openPrompt(scheduled, active, act), context);
      return { prompt: toWirePrompt(prompt) };
    },

    async closePrompt({ id }, context) {
      const act = requireAttribution(context);
      return { prompt: toWirePrompt(await prompts.change(id, (open) => closePrompt(open, act), context)) };
    },

    async correctPrompt({ id, question, reason }, context) {
      const act = requireAttribution(context, reason);
      const prompt = await prompts.change(id, (scheduled) => correctPrompt(scheduled, question, act), context);
      return { prompt: toWirePrompt(prompt) };
    },

    async getPromptRecord({ id }, context) {
      const prompt = await prompts.get(id, context);
      if (prompt === undefined) throw new KnowledgeError('not_found', 'There is no prompt with this id.');
      return { prompt: toWirePrompt(prompt), history: prompt.history.map(toWireTransition) };
    },

    async listPrompts(request, context) {
      const filter = {
        site: optionalSite(request.site),
        state: optionalPromptState(request.state),
        idPrefix: readIdPrefix(request.idPrefix),
      };
      const { items, next } = await prompts.list(filter, readPageQuery(request), context);
      return { prompts: items.map(toWirePrompt), nextPageToken: pageToken(next) };
    },
  };
}
