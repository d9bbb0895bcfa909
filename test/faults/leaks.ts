import { BSON, MongoClient } from 'mongodb';

/** Reads the whole content of a system's databases as text. */
export async function dumpOf(uri: string, databases: readonly string[]): Promise<string> {
  const client = new MongoClient(uri);
  try {
    const parts: string[] = [];
    for (const name of databases) {
      const db = client.db(name);
      for (const { name: collection, type } of await db.listCollections().toArray()) {
        if (type === 'view') continue;
        for await (const document of db.collection(collection).find()) parts.push(BSON.EJSON.stringify(document));
      }
    }
    return parts.join('\n');
  } finally {
    await client.close();
  }
}

/**
 * Finds secrets in a text: complete, without the id before the dot, in hexadecimal or in base64. The time is linear in
 * the length of the text for any number of secrets.
 */
export function leaksIn(text: string, secrets: readonly string[]): string[] {
  const forms = new Set(secrets.flatMap(formsOf));
  const found = [/[\w-]{43,}/g, /[\w.-]{43,}/g, /[A-Za-z0-9+/]{42,}={0,2}/g].flatMap((runs) =>
    [...text.matchAll(runs)].map(([run]) => run).filter((run) => forms.has(run)),
  );
  // Also finds any text with the form of a code or a token.
  return [...found, ...(text.match(/[0-9a-f-]{36}\.[\w-]{43}|cks_[0-9A-Za-z]{49}/g) ?? [])];
}

function formsOf(secret: string): string[] {
  const bare = secret.replace(/^[0-9a-f-]{36}\.|^cks_/, '');
  const bytes = [Buffer.from(bare), Buffer.from(secret), Buffer.from(bare, 'base64url')];
  return [secret, bare, ...bytes.flatMap((each) => [each.toString('hex'), each.toString('base64')])];
}
