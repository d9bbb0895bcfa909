import { fold, splitWords } from './words.js';

/** The largest number of learnt words; they need about 15 MB. Further words are not learnt. */
const maxWords = 200_000;
const shortestPart = 4;
const shortestCompound = 9;
/** A part after an unknown one must be this long, or it is a part by chance. */
const shortestLonePart = 5;

/** Splits German compounds into words that the German texts also have alone, and into frequent ones. */
export type Compounds = ReturnType<typeof createCompounds>;

export function createCompounds() {
  const words = new Set<string>(germanWords.flatMap(formsOf));

  const known = (part: string) => formsOf(part).find((form) => words.has(form));

  // Every head is a beginning of the same word. So its length is enough to try none twice.
  const split = (word: string, tried = new Set<number>()): readonly string[] | undefined => {
    if (word.length < 2 * shortestPart || tried.has(word.length)) return undefined;
    tried.add(word.length);
    // The last part decides what a compound is about, so it should be long.
    for (let at = shortestPart; at <= word.length - shortestPart; at++) {
      if (known(word.slice(at)) === undefined) continue;
      const head = word.slice(0, at);
      const heads = known(head) === undefined ? split(head, tried) : [head];
      if (heads !== undefined) return [...heads, word.slice(at)];
    }
    return undefined;
  };

  return {
    /** Learns the words of a German text. */
    learn(text: string) {
      for (const { text: word } of splitWords(text))
        if (word.length >= shortestPart && words.size < maxWords) for (const form of formsOf(word)) words.add(form);
    },
    /** The parts of a compound, in order; empty for a word that is none. Their stems lose the joint, such as the s in Datensicherungsplan. */
    parts(word: string) {
      if (word.length < shortestCompound) return [];
      const whole = split(word);
      if (whole !== undefined) return whole;
      for (let at = shortestPart; at <= word.length - shortestLonePart; at++)
        if (known(word.slice(at)) !== undefined) return [word.slice(at)];
      return [];
    },
  };
}

/** A word without accents, as it is and without its ending, so that forms of one word meet. */
function formsOf(word: string) {
  const bare = withoutEnding(word);
  return [fold(word), fold(bare)].filter((form) => form.length >= shortestPart);
}

function withoutEnding(word: string) {
  return word.replace(/(?:ern|en|er|es|em|n|e|s)$/, '');
}

/**
 * German words of enterprise practice that stand in many compounds. They split compounds of queries and texts also where the
 * texts do not have their parts alone.
 */
const germanWords: readonly string[] = `
abbruch abfall abfrage abgleich abhängigkeit ablage ablauf abnahme abrechnung abschaltung abschluss absicherung absprache abstimmung
abteilung abweichung adresse agent akte alarm algorithmus altlast amtsweg analyse anbieter anbindung änderung anfang anfrage angebot
angriff anlage anleitung anmeldung annahme anruf ansicht anspruch antrag antwort anweisung anwender anwendung anzeige arbeit archiv
artikel aufgabe auflage aufnahme auftrag aufwand ausbau ausbildung ausfall ausgabe auskunft auslastung ausnahme ausschreibung austausch
auswahl ausweis auswertung auszug automatisierung
bandbreite basis bau bedarf bedienung bedrohung befehl befragung begriff behörde benachrichtigung benutzer beobachtung berater beratung
berechtigung bereich bereinigung bereitschaft bereitstellung bericht beruf beschaffung beschreibung beschwerde besitzer besprechung
bestand bestellung besuch beteiligung betreuung betrieb betrug bewertung beziehung bibliothek bild bildschirm bildung bogen brand brief
browser buchhaltung buchung budget büro
chef cloud code container
darstellung datei daten datenbank datum dauer dialog dienst dienstleister dienstleistung disziplin dokument dokumentation drucker
durchlauf durchsatz
ebene eigentum eingabe eingang einführung einheit einkauf einrichtung einsatz einstellung eintrag einwilligung empfang ende energie
entscheidung entsorgung entwicklung entwurf ereignis erfahrung erfassung ergebnis erhebung erkennung erklärung erlaubnis erneuerung
ersatz erstellung erwartung export
fabrik fach fahrer fahrzeug faktor fall familie farbe fehler feld fenster fertigung figur filiale filter finanz firma fläche folge
formular forschung fortschritt fracht frage freigabe freund frist führung funktion
gebäude gebühr gefahr gehalt geheimnis geld genehmigung gerät gericht gesamt geschäft geschichte geschwindigkeit gesellschaft gesetz
gesundheit gewicht grenze größe grund gruppe
hafen halle handbuch handel händler handlung haus heft hersteller herstellung hilfe hinweis
identität import industrie information infrastruktur inhalt inspektion installation integration inventar inventur
jahr
kapazität karte kasse katalog kauf kennwort kennzahl kette klasse klinik knoten kommunikation komponente konfiguration konflikt konto konten
kontrolle konzept konzern kopie korrektur kosten kraft kranken krise kühlung kunde kündigung kurs
labor lager land last lauf laufwerk laufzeit lebens lehre leistung leiter leitfaden leitung lernen lieferant lieferung liefer linie liste
lizenz lösung löschung logistik lohn
management mangel markt maschine maßnahme masse material meldung menge mensch merkmal messung methode miete migration minute mitarbeiter
mitglied mittel modell modul monat montage muster
nachfolge nachricht nachweis name netz netzwerk neustart norm notfall nummer nutzen nutzer nutzung
oberfläche objekt ordner ordnung organisation
paket panne papier partner passwort patient pause person personal pflege pflicht phase pilot plan planung platte plattform platz position
post praxis preis prinzip priorität probe problem produkt produktion profil programm projekt protokoll prozess prüfer prüfung punkt
qualität quartal quelle
rahmen rate raum rechen rechner rechnung recht rechte redaktion regel region reihe reise rendite reparatur replik reserve ressource revision
richtlinie risiko roboter rolle rückgabe rückmeldung rückstand runde
sache saison sammlung sanierung satz schaden schalter schema schicht schlüssel schnittstelle schranke schritt schrift schuld schulung schutz
schwachstelle schwelle seite sekunde server sicherheit sicherung sicht signal sitzung software sorge sparte speicher sperre sperrung spiel
sprache stand standard standort start statistik status stelle stellung steuerung stichprobe stoff störung strategie strecke strom struktur
studie stufe stunde suche system
tabelle tafel tagebuch takt tarif tätigkeit team technik technologie teil teilnehmer telefon termin test text thema ticket tisch titel
transport treffen treiber trennung
überblick übergabe überlassung übersetzung übersicht übertragung überwachung übung umfang umfrage umgebung umstellung umzug unterbrechung
unterlage unternehmen unterricht unterschrift untersuchung unterstützung urlaub ursache
verantwortung verbesserung verbindung verbot verbrauch verein vereinbarung verfahren verfügbarkeit vergabe vergleich verhalten verkauf verkehr
verlauf verletzung verlust vermerk vermittlung vernichtung versand verschlüsselung versicherung version verteilung vertrag vertrauen
vertreter vertretung vertrieb verwalter verwaltung verwendung verzeichnis video vorbereitung vorfall vorgabe vorgang vorgehen vorhaben
vorlage vorrat vorschlag vorschrift vorstand vorteil
wachstum wächter wahl währung wandel ware warnung wartung wechsel weisung weiterbildung welle werbung werk werkzeug wert wesen wettbewerb
wiederherstellung wirkung wirtschaft wissen woche wunsch
zahl zahlung zeichen zeichnung zeile zeit zeitung zentrale zentrum zertifikat ziel zimmer zone zugang zugriff zukunft zulassung zulieferer
zusage zusammenarbeit zustand zustimmung zuteilung zutritt zweck zweig
`
  .trim()
  .split(/\s+/);
