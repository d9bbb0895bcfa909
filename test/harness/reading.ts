import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { articleToPut } from './articles.js';
import { call } from './http.js';
import { asTester, type System } from './system.js';

/** The content that `seedReading` published. */
export interface SeededContent {
  /** The slugs of the articles on `org`, newest first. */
  readonly org: readonly string[];
  readonly io: readonly string[];
  readonly objectId: string;
  readonly promptId: string;
}

const seeded = new WeakMap<System, Promise<SeededContent>>();

/** Publishes seven articles on org, two on io, highlights, an object and a prompt, once in each system. */
export function seedReading(system: System): Promise<SeededContent> {
  const content = seeded.get(system) ?? publishAll(system);
  seeded.set(system, content);
  return content;
}

async function publishAll(system: System): Promise<SeededContent> {
  const { editorial, prompts } = system.clients;
  const org = Array.from({ length: 7 }, (_, at) => `field-note-${at + 1}`);
  for (const [at, slug] of org.entries()) {
    const publishedAt = new Date(Date.UTC(2026, 5, 30 - at, 9));
    const tags = at % 2 === 0 ? ['identity', 'rollout'] : ['identity'];
    await editorial.putArticle(articleToPut({ slug, tags, publishedAt, body: bodyOf(slug) }), asTester());
  }
  const io = ['postmortem-1', 'postmortem-2'];
  for (const [at, slug] of io.entries()) {
    const publishedAt = new Date(Date.UTC(2026, 4, 30 - at, 9));
    await editorial.putArticle(articleToPut({ slug, site: Site.IO, tags: ['incidents'], publishedAt }), asTester());
  }
  const highlights = [
    { slug: org[2] ?? '', editorNote: 'Start here.' },
    { slug: org[0] ?? '', editorNote: '' },
  ];
  await editorial.setHighlights({ site: Site.ORG, highlights }, asTester());
  const objectId = randomUUID();
  const kind = ObjectKind.KNOWLEDGE;
  const object = {
    id: objectId,
    kind,
    site: Site.ORG,
    title: 'A checklist',
    summary: '',
    author: 'Editors',
    language: 'en',
    body: 'Check **twice**.',
    publishedAt: undefined,
  };
  await editorial.putObject(object, asTester());
  const promptId = randomUUID();
  const question = 'What did your last rollout teach you?';
  await prompts.createPrompt(
    { id: promptId, site: Site.ORG, question, opensAt: undefined, closesAt: undefined, activate: true },
    asTester(),
  );
  return { org, io, objectId, promptId };
}

function bodyOf(slug: string): string {
  return `# ${slug}\n\nA wombat rollout, told by those who did it: café, naïve, 名前.\n\n- one\n- two\n`;
}

/** The ids of all objects of org that a gateway lists. */
export async function catalogOf(gateway: string): Promise<string[]> {
  const ids: string[] = [];
  for (let next: string | null = `${gateway}/api/v1/objects/catalog?site=org&limit=200`; next !== null; ) {
    const { json } = await call(next);
    ids.push(...json.entries.map(({ id }: { id: string }) => id));
    next = json.next_url;
  }
  return ids;
}
