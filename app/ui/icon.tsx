/** The path of each icon, drawn as lines on a grid of 24 by 24. */
const PATHS = {
  alert: "M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0M12 7v6M12 16.5h.01",
  bell: "M18 8a6 6 0 1 0-12 0c0 7-3 9-3 9h18s-3-2-3-9M10.3 21a2 2 0 0 0 3.4 0",
  calendar: "M5 5h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V7a2 2 0 0 1 2-2M3 10h18M8 3v4M16 3v4",
  check: "M4 12l6 6L20 6",
  chart: "M3 3v18h18M8 17v-5M13 17V8M18 17v-8",
  close: "M6 6l12 12M18 6L6 18",
  copy: "M11 9h8a2 2 0 0 1 2 2v8a2 2 0 0 1-2 2h-8a2 2 0 0 1-2-2v-8a2 2 0 0 1 2-2M5 15H4a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h10a1 1 0 0 1 1 1v1",
  dashboard:
    "M4.5 3h4a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-6a1.5 1.5 0 0 1 1.5-1.5M15.5 3h4a1.5 1.5 0 0 1 1.5 1.5v2a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-2a1.5 1.5 0 0 1 1.5-1.5M15.5 12h4a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-6a1.5 1.5 0 0 1 1.5-1.5M4.5 16h4a1.5 1.5 0 0 1 1.5 1.5v2a1.5 1.5 0 0 1-1.5 1.5h-4a1.5 1.5 0 0 1-1.5-1.5v-2a1.5 1.5 0 0 1 1.5-1.5",
  done: "M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0M8 12l3 3 5-6",
  down: "M6 9l6 6 6-6",
  eye: "M2.5 12S6 5 12 5s9.5 7 9.5 7-3.5 7-9.5 7-9.5-7-9.5-7M15 12a3 3 0 1 1-6 0a3 3 0 0 1 6 0",
  eyeOff: "M2.5 12S6 5 12 5s9.5 7 9.5 7-3.5 7-9.5 7-9.5-7-9.5-7M15 12a3 3 0 1 1-6 0a3 3 0 0 1 6 0M4 3l16 18",
  friend: "M13 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M2 21a7 7 0 0 1 14 0M19 8v6M16 11h6",
  gift: "M4 8h16a1 1 0 0 1 1 1v2a1 1 0 0 1-1 1H4a1 1 0 0 1-1-1V9a1 1 0 0 1 1-1M12 8v13M5 12v8a1 1 0 0 0 1 1h12a1 1 0 0 0 1-1v-8M12 8S9 2 6.5 4.5 12 8 12 8s3-6 5.5-3.5S12 8 12 8",
  help: "M21 12a9 9 0 1 1-18 0a9 9 0 0 1 18 0M9.5 9a2.5 2.5 0 1 1 3.5 2.3c-.8.4-1 1-1 1.7M12 17h.01",
  link: "M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.7 1.7M14 11a5 5 0 0 0-7.5-.5l-3 3a5 5 0 0 0 7 7l1.7-1.7",
  logIn: "M10 17l5-5-5-5M15 12H4M13 21h5a2 2 0 0 0 2-2V5a2 2 0 0 0-2-2h-5",
  logOut: "M15 17l5-5-5-5M20 12H9M11 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h6",
  menu: "M4 7h16M4 12h16M4 17h16",
  monitor:
    "M4.5 4h15a1.5 1.5 0 0 1 1.5 1.5v9a1.5 1.5 0 0 1-1.5 1.5h-15a1.5 1.5 0 0 1-1.5-1.5v-9a1.5 1.5 0 0 1 1.5-1.5M8 20h8M12 16v4",
  moon: "M21 12.8A8.5 8.5 0 1 1 11.2 3a6.5 6.5 0 0 0 9.8 9.8z",
  panel: "M5 4h14a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2M9 4v16",
  person: "M16 8a4 4 0 1 1-8 0a4 4 0 0 1 8 0M4 21a8 8 0 0 1 16 0",
  pulse: "M2 13h4l3-8 5 15 3-10 1.6 3H22",
  search: "M18 11a7 7 0 1 1-14 0a7 7 0 0 1 14 0M20.5 20.5L16 16",
  sun: "M16 12a4 4 0 1 1-8 0a4 4 0 0 1 8 0M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.4 1.4M17.3 17.3l1.4 1.4M5.3 18.7l1.4-1.4M17.3 6.7l1.4-1.4",
} as const;

export type IconName = keyof typeof PATHS;

type IconProps = {
  name: IconName;
  /** Sets the size if the surroundings do not, and a colour or stroke other than the usual one. */
  className?: string;
};

/** An icon beside or in place of a word. Screen readers skip it: give the word to the element that contains it. */
export function Icon({ name, className }: IconProps) {
  return (
    <svg aria-hidden viewBox="0 0 24 24" className={className ? `icon ${className}` : "icon"}>
      <path d={PATHS[name]} />
    </svg>
  );
}
