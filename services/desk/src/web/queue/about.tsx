import type { Html } from '@knowledge/runtime/html';
import type { ContributionView } from '../../present/contribution.js';
import { linkButton } from '../forms/buttons.js';
import { strange } from '../layout/values.js';

/** The published text that an inquiry is about, with the way to a draft that corrects it. */
export function about({ id, about: text, purpose }: ContributionView): Html | undefined {
  if (text === null) return undefined;
  const { site, slug, object_id, title } = text;
  const path = slug === null ? `/articles/objects/${object_id}` : `/articles/${site}/${slug}`;
  return (
    <section aria-labelledby="about-title" hx-boost="false">
      <h3 id="about-title">What it is about</h3>
      <p>
        <a href={path}>{strange(title)}</a>{' '}
        <span class="small">
          {slug === null ? 'community object' : 'article'} · {site}
        </span>
      </p>
      {purpose === 'correction' && slug !== null && (
        <p>{linkButton(`${path}/next?inquiry=${id}`, 'Start a draft with this correction')}</p>
      )}
    </section>
  );
}
