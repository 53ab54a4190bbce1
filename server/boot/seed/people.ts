import { slotOf } from "../../heartbeats/beat-window.ts";
import { DAY_MS } from "../../points/utc-day.ts";
import type { Random } from "./random.ts";

/** How old the network is, in days. */
const NETWORK_DAYS = 120;
const MEMBERS = 120;
const HOUR_MS = DAY_MS / 24;

/** A person to register: who they are, who invited them, and how steadily their node beats. */
export type Person = {
  email: string;
  username: string | null;
  fullName: string | null;
  wallet: string | null;
  isWhitelisted: boolean;
  joinedAt: Date;
  onboardedAt: Date | null;
  /** The email of the member who invited them, and when that member claimed the points, if that is planned. */
  inviter?: string;
  claimedAt?: Date;
  /** How many beats a day, at least and at most. */
  rhythm: readonly [number, number];
  /** When their node went offline. */
  lastSeenAt: Date;
};

/** A registered person, and what has happened to them so far. */
export type Member = Person & { userId: string; beats: Date[] };

const FIRST =
  `Ada Alan Amara Ana Andrej Aisha Bruno Carla Chen Chidi Dana Diego Elif Emeka Emil Farah Felix Freya Grace Hana
  Hugo Ida Ines Ivan Jana Jonas Kaito Kofi Lara Leila Linh Luca Maja Marek Mateo Mei Milan Mira Nadia Nils Noor Omar Oskar
  Paula Pedro Priya Rafa Ravi Rosa Sami Selma Sofia Tariq Thea Tomas Uma Viktor Wanjiru Yara Yuki Zoe`.split(/\s+/);
const LAST =
  `Abebe Ahmed Almeida Andersen Baker Bauer Berg Carvalho Castro Chen Costa Diallo Dubois Eriksen Farouk Fischer
  Fontana Garcia Gomez Haas Hansen Hassan Horvat Huang Ito Ivanov Jansen Kim Kovac Kumar Larsen Lee Lindqvist Lopez Mbeki
  Meyer Mensah Moreau Nakamura Ndiaye Nguyen Novak Okafor Olsen Ortiz Park Patel Petrov Popescu Reyes Rossi Sato Schmidt
  Silva Singh Tanaka Torres Vargas Weber Yilmaz`.split(/\s+/);

/** How nodes run: steadily, now and then, or hardly ever. */
const RHYTHMS: [Person["rhythm"], ...Person["rhythm"][]] = [
  [2, 6],
  [0, 3],
  [0, 3],
  [0, 2],
];

/** Invents the members of the network, except the demo member and their friends. */
export function inventPeople(random: Random, now: Date): Person[] {
  const people: Person[] = [];
  for (const identity of inventIdentities(random, MEMBERS)) {
    const joinedAt = new Date(now.getTime() - Math.floor((NETWORK_DAYS * DAY_MS * random.integer(10, 1000)) / 1000));
    people.push({
      ...identity,
      wallet: random.chance(0.55) ? `0x${random.hex(40)}` : null,
      isWhitelisted: random.chance(0.08),
      joinedAt,
      onboardedAt: random.chance(0.94) ? new Date(joinedAt.getTime() + random.integer(1, 40) * 60_000) : null,
      rhythm: random.pick(RHYTHMS),
      lastSeenAt: random.chance(0.75)
        ? now
        : new Date(Math.min(now.getTime(), joinedAt.getTime() + random.integer(0, 40) * DAY_MS)),
    });
  }
  people.sort((a, b) => a.joinedAt.getTime() - b.joinedAt.getTime());
  return people.map((person, index) => withInviter(random, person, people.slice(0, index)));
}

function withInviter(random: Random, person: Person, earlier: Person[]): Person {
  const [inviter] = random.chance(0.45) ? random.sample(earlier, 1) : [];
  return inviter ? Object.assign(person, { inviter: inviter.email }) : person;
}

/** Invents names and addresses, all different. */
export function* inventIdentities(random: Random, count: number, domain = "example.org") {
  const taken = new Set<string>();
  while (taken.size < count) {
    const [first = "", last = ""] = [random.sample(FIRST, 1)[0], random.sample(LAST, 1)[0]];
    const name = `${first}.${last}`.toLowerCase();
    if (taken.has(name)) continue;
    taken.add(name);
    yield {
      email: `${name}@${domain}`,
      username: random.chance(0.7) ? `${first.toLowerCase()}${random.integer(10, 99)}` : null,
      fullName: random.chance(0.8) ? `${first} ${last}` : null,
    };
  }
}

/**
 * Plans the times of a person's beats, oldest first: each day a stretch of quarter hours, as long as the rhythm says.
 */
export function planBeats(random: Random, { joinedAt, lastSeenAt, rhythm }: Person): Date[] {
  const beats: number[] = [];
  for (let day = Math.floor(joinedAt.getTime() / DAY_MS); day * DAY_MS <= lastSeenAt.getTime(); day++) {
    const length = random.integer(...rhythm);
    const first = random.integer(0, QUARTERS - length);
    for (let quarter = first; quarter < first + length; quarter++) {
      beats.push(day * DAY_MS + (quarter * HOUR_MS) / 4 + random.integer(0, 899_000));
    }
  }
  return beats
    .filter((time) => time >= joinedAt.getTime() && time <= lastSeenAt.getTime())
    .sort((a, b) => a - b)
    .map((time) => new Date(time));
}

/** Keeps only the beats that will count, because referrals and rewards depend on their number. */
export function keepOnePerSlot(beats: Date[], intervalSeconds: number): Date[] {
  const bySlot = new Map(beats.map((beat) => [slotOf(beat, intervalSeconds).getTime(), beat]));
  return [...bySlot.values()];
}

/** How many quarter hours a day has. */
const QUARTERS = 96;
