import type { Fragment, Html } from '@knowledge/runtime/html';
import type { ContributionView } from '../../present/contribution.js';
import { linkButton } from '../forms/buttons.js';
import { siteTitle, strange } from '../layout/values.js';
import { hasRole } from '../staff/has-role.js';
import type { StaffMember } from '../staff/staff-member.js';

/** Who looks at an item, and what is known of the draft that would bring its correction in. */
export interface AboutView {
  readonly staff: Pick<StaffMember, 'roles'>;
  /** Who wrote the draft of the article's next revision; empty without one. */
  readonly draftAuthors: readonly string[];
}

/** The published text that an inquiry is about, with the way to a draft that corrects it. */
export function about({ id, about: text, purpose }: ContributionView, view: AboutView): Html | undefined {
  if (text === null) return undefined;
  const { site, slug } = text;
  return (
    <section aria-labelledby="about-title" hx-boost="false">
      <h3 id="about-title">What it is about</h3>
      <p>
        {linkToText(text, view, strange(text.title)) ?? strange(text.title)}{' '}
        <span class="small">
          {slug === null ? 'community object' : 'article'} · {siteTitle(site)}
        </span>
      </p>
      {purpose === 'correction' && slug !== null && wayToDraft(`${pathOf(text)}/next`, id, view)}
    </section>
  );
}

/** A link to a published text for those who may open it. */
export function linkToText(text: AboutTextView, { staff }: AboutView, label: Fragment): Fragment {
  return text.slug === null || hasRole(staff, 'editor', 'reader') ? <a href={pathOf(text)}>{label}</a> : undefined;
}

type AboutTextView = NonNullable<ContributionView['about']>;

function pathOf({ site, slug, object_id }: AboutTextView): string {
  return slug === null ? `/articles/objects/${object_id}` : `/articles/${site}/${slug}`;
}

/** Whether a staff member may write the draft and read the correction beside it. */
export function mayCorrect(staff: Pick<StaffMember, 'roles'>): boolean {
  return hasRole(staff, 'editor') && hasRole(staff, 'moderator');
}

function wayToDraft(path: string, inquiry: string, { staff, draftAuthors }: AboutView): Fragment {
  if (!mayCorrect(staff)) {
    return <p class="small">Somebody who is moderator and editor, or an administrator, can start a draft with it.</p>;
  }
  const link = `${path}?inquiry=${inquiry}`;
  if (draftAuthors.length === 0) return <p>{linkButton(link, 'Start a draft with this correction')}</p>;
  return (
    <>
      <p class="notice">
        There is a <a href={path}>draft of this article</a> by {strange(draftAuthors.join(', '))} already.
      </p>
      <p>{linkButton(link, 'Bring this correction into the draft')}</p>
    </>
  );
}
