import { ContentServiceService, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import type { Session } from '../../session.js';
import { sites } from '../../words.js';

export interface SiteCounts {
  readonly site: string;
  readonly articles: number;
  readonly objects: number;
}

/** Counts what each site publishes; undefined if the content service does not respond. */
export async function countContent(session: Session): Promise<SiteCounts[] | undefined> {
  const content = session.connect('content', ContentServiceService, { deadlineMs: 1500 });
  const page = { pageSize: 1, pageToken: '' };
  try {
    return await Promise.all(
      sites.words.map(async (word) => {
        const site = sites.toWire(word);
        const [articles, objects] = await Promise.all([
          content.listArticles({ site, query: '', tag: '', updatedSince: undefined, ...page }, session.callContext()),
          content.listObjects({ site, kind: ObjectKind.UNSPECIFIED, ...page }, session.callContext()),
        ]);
        return { site: word, articles: articles.total ?? 0, objects: objects.total };
      }),
    );
  } catch {
    return undefined;
  }
}
