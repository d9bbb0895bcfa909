/** An article, an object or an entry of a search, as far as every one of them is alike. */
interface Text {
  readonly title?: string;
  readonly body?: string;
  readonly api_url?: string;
}

/**
 * Makes the result that clients expect which know only the tools `search` and `fetch`, such as ChatGPT's connectors.
 * What more there is stands beside it.
 */
export function simpleForm(called: string, answer: Readonly<Record<string, unknown>>): string {
  if (called === 'search') {
    const { entries = [], ...rest } = answer as { entries?: Text[] };
    return JSON.stringify({ results: entries.map((entry) => ({ ...identified(entry), ...entry })), ...rest });
  }
  const { article, object = article, ...rest } = answer as { article?: Text; object?: Text };
  const { body, ...facts } = object ?? {};
  return JSON.stringify({ ...identified(facts), text: body, metadata: { ...facts, ...rest } });
}

// The address is also the id, because it says the site too.
function identified({ title, api_url: id = '' }: Text) {
  return {
    id,
    title,
    url: id.replace(/\/api\/v1\/(content|objects)\//, (_, kind) => pages[kind as keyof typeof pages]),
  };
}

const pages = { content: '/articles/', objects: '/objects/' };
