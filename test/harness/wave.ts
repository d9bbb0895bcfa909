import { randomBytes, randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ResolveTokensRequest } from '@knowledge/proto/knowledge/identity/v1/identity';
import { asTester, type System } from './system.js';
import { until } from './until.js';

/** One of the senders of a wave. */
export interface WaveHuman {
  readonly email: string;
  readonly token: string;
  readonly authorizationId: string;
}

/** Many mailboxes of one domain send stories that differ, and that all link to it. Waits until the queue knows them. */
export async function sendWave(
  system: System,
  { domain, humans, each }: { readonly domain: string; readonly humans: number; readonly each: number },
): Promise<WaveHuman[]> {
  const senders = Array.from({ length: humans }, async (_, at) => {
    const human = await newHuman(system, `box-${at}@${domain}`);
    for (let text = 1; text <= each; text++) await sendText(system, human, spunText(domain, `${at} ${text}`));
    return human;
  });
  const sent = await Promise.all(senders);
  await until(
    'the wave in the queue',
    async () => {
      const { groups } = await system.clients.moderation.listContributionGroups({}, asTester());
      return groups.some(({ key, contributions }) => key === `link:${domain}` && contributions === humans * each);
    },
    120_000,
  );
  return sent;
}

/** A human with an agent, whose texts come from no network. */
export async function newHuman(system: System, email: string): Promise<WaveHuman> {
  const token = await system.issueToken(email);
  const asked = ResolveTokensRequest.fromPartial({ items: [{ token, context: { requestId: randomUUID() } }] });
  const { results } = await system.clients.identity.resolveTokens(asked, asTester());
  const outcome = results[0]?.outcome;
  if (outcome?.$case !== 'principal') throw new Error('The token has no owner.');
  return { email, token, authorizationId: outcome.value.authorizationId };
}

/** Sends a story past the gateway. Returns its id. */
export async function sendText(
  system: System,
  { email, authorizationId }: WaveHuman,
  text: ReturnType<typeof spunText>,
): Promise<string> {
  const contributor = {
    email,
    tokenId: randomUUID(),
    scopes: ['write:story'],
    agentName: 'test agent',
    authorizationId,
  };
  const story = { contributor, id: randomUUID(), type: ContributionType.STORY, site: Site.ORG, ...text };
  await system.clients.contributions.submitContribution({ ...story, payloadHash: randomBytes(32) }, asTester());
  return story.id;
}

/** Other words each time, and always the same link. */
export function spunText(domain: string, name: string) {
  const words = Array.from({ length: 40 }, () => randomBytes(4).toString('hex').replace(/\d/g, 'e'));
  return { title: `How ${name} saved us hours`, body: `${words.join(' ')}. [See how](https://${domain}/${words[0]}).` };
}
