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
