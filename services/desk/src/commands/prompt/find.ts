import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { GrpcClient } from '@knowledge/runtime/client';
import { resolveId } from '../../ids.js';
import type { Session } from '../../session.js';

export type PromptClient = GrpcClient<typeof PromptServiceService>;

export function findPromptId(session: Session, prompts: PromptClient, word: string): Promise<string> {
  const request = { site: Site.UNSPECIFIED, state: PromptState.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) =>
    (await prompts.listPrompts({ ...request, idPrefix }, session.callContext())).prompts;
  return resolveId(word, find, 'prompt');
}

export async function findActivePrompt(
  session: Session,
  prompts: PromptClient,
  site: Site,
): Promise<Prompt | undefined> {
  const page = { state: PromptState.ACTIVE, pageSize: 1, pageToken: '' };
  return (await prompts.listPrompts({ ...page, site }, session.callContext())).prompts[0];
}
