import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { type Prompt, PromptState } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { GrpcClient } from '@knowledge/runtime/grpc';
import { isWholeId, onlyMatch } from '../../ids.js';
import type { Session } from '../../session.js';

/** A client of the prompt editors' side. */
export type PromptClient = GrpcClient<typeof PromptServiceService>;

/** So many of the newest are looked through for the beginning of an id. */
const searched = 200;

/** The whole id of a prompt. */
export async function findPromptId(session: Session, prompts: PromptClient, word: string): Promise<string> {
  if (isWholeId(word)) return word;
  const page = { state: PromptState.UNSPECIFIED, pageSize: searched, pageToken: '' };
  const find = async (): Promise<Prompt[]> =>
    (await prompts.listPrompts({ ...page, site: Site.UNSPECIFIED }, session.call())).prompts;
  return (await onlyMatch(word, find, ({ id }) => id, 'prompt')).id;
}

/** The prompt that is active on a site, which opening another one closes. */
export async function activePrompt(session: Session, prompts: PromptClient, site: Site): Promise<Prompt | undefined> {
  const page = { state: PromptState.ACTIVE, pageSize: 1, pageToken: '' };
  return (await prompts.listPrompts({ ...page, site }, session.call())).prompts[0];
}
