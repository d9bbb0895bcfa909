import {
  type ContributionsServiceService,
  PromptState,
  type Prompt as WirePrompt,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError, pageToken, readIdPrefix, readPageQuery } from '@knowledge/runtime';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { enumWords, optionalSite, requireSite, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import { closePrompt, correctPrompt, createPrompt, openPrompt, type Prompt } from './domain.js';
import type { PromptStore } from './store.js';

const states = enumWords('state', PromptState);

export function promptHandlers(prompts: PromptStore): Handlers<PromptServiceService> {
  const change = async (...asked: Parameters<PromptStore['change']>) => ({
    prompt: toWirePrompt(await prompts.change(...asked)),
  });
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
      return change(id, (scheduled, active) => openPrompt(scheduled, active, act), context);
    },

    async closePrompt({ id }, context) {
      const act = requireAttribution(context);
      return change(id, (open) => closePrompt(open, act), context);
    },

    async correctPrompt({ id, question, reason }, context) {
      const act = requireAttribution(context, reason);
      return change(id, (scheduled) => correctPrompt(scheduled, question, act), context);
    },

    async getPromptRecord({ id }, context) {
      const prompt = await prompts.get(id, context);
      return { prompt: toWirePrompt(prompt), history: prompt.history.map(toWireTransition) };
    },

    async listPrompts(request, context) {
      const filter = {
        site: optionalSite(request.site),
        state: states.optional(request.state),
        idPrefix: readIdPrefix(request.idPrefix),
      };
      const { items, next } = await prompts.list(filter, readPageQuery(request), context);
      return { prompts: items.map(toWirePrompt), nextPageToken: pageToken(next) };
    },
  };
}

/** What readers and agents get of the prompts. */
export function promptReaders(
  prompts: PromptStore,
): Pick<Handlers<ContributionsServiceService>, 'getActivePrompt' | 'listPublicPrompts'> {
  return {
    async getActivePrompt({ site }, context) {
      const prompt = await prompts.active(requireSite(site), context);
      if (prompt === undefined) throw new KnowledgeError('not_found', 'No community prompt is active on this site.');
      return { prompt: toWirePrompt(prompt) };
    },

    async listPublicPrompts(request, context) {
      const { items, next } = await prompts.listPublic(requireSite(request.site), readPageQuery(request), context);
      return { prompts: items.map(toWirePrompt), nextPageToken: pageToken(next) };
    },
  };
}

function toWirePrompt(prompt: Prompt): WirePrompt {
  return {
    ...prompt,
    site: toWireSite(prompt.site),
    state: states.toWire(prompt.state),
    opensAt: prompt.opensAt ?? undefined,
    closesAt: prompt.closesAt ?? undefined,
  };
}
