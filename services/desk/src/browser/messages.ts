const most = 5;

/** Adds a line to the messages above the page. The focus stays: who is typing must not press the keys of decisions. */
export function tell(line: HTMLElement): void {
  const messages = document.getElementById('messages');
  for (const same of messages?.children ?? []) if (same.isEqualNode(line)) same.remove();
  messages?.append(line);
  while (messages !== null && messages.children.length > most) messages.firstElementChild?.remove();
  line.scrollIntoView({ block: 'nearest' });
}

export function quoted(text: string): Element {
  const quote = document.createElement('q');
  const isolated = document.createElement('bdi');
  isolated.textContent = text;
  quote.append(isolated);
  return quote;
}

export function paragraph(...parts: (string | Element)[]): HTMLParagraphElement {
  const line = document.createElement('p');
  line.append(...parts);
  return line;
}

/** Says what was not sent, for each request of htmx that got no answer, or no words. */
export function tellFailedSends(): void {
  for (const type of ['htmx:sendError', 'htmx:timeout']) {
    document.addEventListener(type, (event) => tell(wordsOf((event as CustomEvent<Sent>).detail)));
  }
  document.addEventListener('htmx:beforeSwap', (event) => {
    const { detail } = event as CustomEvent<Sent>;
    // Such as the page of a proxy.
    if (detail.isError && !detail.serverResponse.includes('<p')) detail.serverResponse = wordsOf(detail).outerHTML;
  });
}

function wordsOf({ requestConfig: { elt, verb, triggeringEvent } }: Sent): HTMLParagraphElement {
  const button = triggeringEvent instanceof SubmitEvent ? triggeringEvent.submitter : null;
  const name = nameOf(button ?? elt.querySelector('button:not([name])') ?? elt);
  return verb === 'get'
    ? paragraph('The server did not answer, so ', quoted(name), ' was not opened. Try again.')
    : paragraph(quoted(name), ' was not sent: the server did not answer. What you typed is still here. Send it again.');
}

/** The words of a button or a link, without its key. */
function nameOf(element: Element): string {
  const copy = element.cloneNode(true) as Element;
  copy.querySelector('.key')?.remove();
  return [...(copy.textContent?.trim() ?? '')].slice(0, 100).join('') || 'This';
}

/** What htmx tells about a request. */
interface Sent {
  readonly requestConfig: { readonly elt: Element; readonly verb: string; readonly triggeringEvent?: Event };
  readonly isError: boolean;
  serverResponse: string;
}
