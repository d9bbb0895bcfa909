import { domainToUnicode } from 'node:url';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { type Html, languageTag } from '@knowledge/runtime/html';
import type { RenderedText, RenderMarkdown } from '@knowledge/runtime/markdown';
import { looksLikeAnother } from '@knowledge/runtime/names';
import type { ContributionView } from '../../present/contribution.js';
import { segmentsOf } from '../../present/odd-characters.js';
import { marked } from '../layout/values.js';

/** The text of a contribution as readers would get it. */
export function renderedText({ title, body, language }: ContributionView, markdown: RenderMarkdown): RenderedText {
  const fields = { title: title ?? '', language: language ?? '', lowered: 2 };
  return markdown(withoutHiddenCharacters(body), fields);
}

/** The text of a contribution three times: as people get it, as models get it, and as it was sent. */
export function texts({ title, name, body, language }: ContributionView, shown: RenderedText): Html {
  const cleaned = withoutHiddenCharacters(body);
  const sent = [
    ['Title', title],
    ['Name', name],
    ['Text', body],
  ] as const;
  const isOdd = sent.some(([, text]) => segmentsOf(text ?? '').some((each) => 'code' in each));
  const links = linksIn(cleaned);
  return (
    <>
      <section aria-labelledby="people-title">
        <h3 id="people-title">As people get it</h3>
        <div class="theirs text" lang={languageTag(language ?? undefined) ?? ''} dir={shown.direction} hx-disable>
          {shown}
        </div>
        {links.length > 0 && (
          <details open={links.some(({ isOdd }) => isOdd)}>
            <summary>Where its links lead ({links.length})</summary>
            <ul class="hosts">
              {links.map(({ host, isOdd }) => (
                <li>
                  <code>{host}</code> {isOdd && <span class="mark">looks like another name</span>}
                </li>
              ))}
            </ul>
          </details>
        )}
      </section>
      <details open={isOdd}>
        <summary>As it was sent{isOdd ? ', with characters that nobody sees' : ''}</summary>
        {sent.map(
          ([field, text]) =>
            text !== null && (
              <>
                <h4>{field}</h4>
                <pre tabindex="0" class="sent" dir="ltr">
                  {marked(text)}
                </pre>
              </>
            ),
        )}
      </details>
      <details>
        <summary>As models get it</summary>
        <pre tabindex="0" class="sent" dir="auto">
          {marked(cleaned)}
        </pre>
      </details>
    </>
  );
}

interface Link {
  /** The host as the network asks for it, so `xn--…` if it has letters of other scripts. */
  readonly host: string;
  readonly isOdd: boolean;
}

const maxLinks = 50;

/** The hosts that the URLs of a text name, each once. */
export function linksIn(text: string): Link[] {
  const hosts = new Set<string>();
  for (const [url] of text.matchAll(/\bhttps?:\/\/[^\s<>()[\]"'`]+/gi)) {
    if (URL.canParse(url)) hosts.add(new URL(url).host);
    if (hosts.size === maxLinks) break;
  }
  return [...hosts].map((host) => ({ host, isOdd: looksLikeAnother(domainToUnicode(host.replace(/:\d+$/, ''))) }));
}
