import { describe, expect, it } from 'vitest';
import { recogniseLanguage } from './recognise-language.js';

describe('recogniseLanguage', () => {
  it.each([
    ['de', 'Wir haben die Migration an einem Wochenende gemacht.'],
    ['de', 'Was hat euch am meisten überrascht?'],
    ['es', 'El servidor no respondió durante tres horas.'],
    ['fr', "Le serveur n'a pas répondu pendant trois heures."],
    ['pl', 'Nasze zespoły decydują teraz same.'],
    ['en', 'A short question about ownership.'],
    ['ar', 'لم يستجب الخادم لمدة ثلاث ساعات.'],
    [
      'de',
      'Der Befehl ist `kubectl get pods -n prod`, siehe https://example.org/the/whole/guide für die Einzelheiten.',
    ],
  ])('knows %s', (language, text) => {
    expect(recogniseLanguage(text)).toBe(language);
  });

  it.each([
    'kubectl get',
    '1234567890 42 !!',
    'https://example.org/a/b?c=d',
    'OK OK OK OK OK OK OK',
    'asdf qwer zxcv uiop hjkl',
    '```\nSELECT id FROM t WHERE a = 1;\n```',
  ])('says nothing about %j', (text) => {
    expect(recogniseLanguage(text)).toBe('');
  });
});
