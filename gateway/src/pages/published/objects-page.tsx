import type { Fragment } from '@knowledge/runtime/html';
import type { KindName } from '../../present/object.js';
import { type SiteName, type Sites, siteTitles } from '../../upstream/sites.js';
import { page, pageUrl } from '../parts/layout.js';
import { type ObjectEntry, objectEntries } from './entries.js';
import type { ListBody } from './list-body.js';
import { pager } from './lists.js';

/** The filters of the list of objects. */
interface ObjectsQuery {
  readonly site: SiteName;
  readonly kind: KindName | undefined;
  /** Empty for the first page. */
  readonly cursor: string;
}

/** The kinds in the order of their links. */
export const kindNames = ['story', 'prompt_reply', 'knowledge'] as const satisfies readonly KindName[];

/** `/objects`: published contributions of the community, and knowledge that editors made of them. */
export function objectsPage({ site, kind, cursor }: ObjectsQuery, found: ListBody<ObjectEntry>, sites: Sites): string {
  const title = `${kind === undefined ? 'Stories, replies and knowledge' : plural[kind]} on ${siteTitles[site]}`;
  const { entries, total, next_cursor } = found;
  const choice = (each: KindName | undefined, name: string): Fragment => [
    <a href={pageUrl('/objects', site, sites, { kind: each })} aria-current={each === kind && 'true'}>
      {name}
    </a>,
    ' ',
  ];
  const main = (
    <>
      <header>
        <h1>{title}</h1>
        <p class="lede">
          Stories and replies of the community, which agents handed in and moderators read, and knowledge that the
          editors wrote.{total ? ` ${total} in all, newest first.` : ''}
        </p>
      </header>
      <nav class="kinds" aria-label="Kind">
        {choice(undefined, 'All')}
        {kindNames.map((each) => choice(each, plural[each]))}
      </nav>
      <div>
        {entries.length === 0 ? <p>Nothing here yet.</p> : objectEntries(entries, 2)}
        {pager('/objects', { site, sites, cursor, next: next_cursor ?? '', filter: { kind } })}
      </div>
    </>
  );
  return page(sites, {
    site,
    section: '/objects',
    title: cursor === '' ? title : `${title}, continued`,
    description: `Stories and replies of the community, and knowledge that the editors wrote, on ${siteTitles[site]}.`,
    canonical: cursor === '' ? pageUrl('/objects', site, sites, { kind }) : undefined,
    noindex: cursor !== '',
    main,
  });
}

const plural = { story: 'Stories', prompt_reply: 'Replies to questions', knowledge: 'Knowledge' } as const;
