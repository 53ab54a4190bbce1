import { brand } from "../../brand.ts";

const LINE = "M-20 400H210l22-16 20 16h40l20 26 34-190 38 300 26-136h52l22-26 26 26H820";

/**
 * Shows a heartbeat over a field of nodes, and what the product is about. The nodes are a picture in the stylesheet.
 */
export function HeartbeatScene() {
  return (
    <section
      aria-label={brand.name}
      className="relative grid content-end overflow-hidden bg-scene p-12 text-scene-ink @max-5xl:hidden forced-colors:border-s"
    >
      <div aria-hidden className="heartbeat-nodes absolute inset-0" />
      <svg aria-hidden viewBox="0 0 800 840" preserveAspectRatio="xMidYMid slice" className="heartbeat-line">
        <path d={LINE} />
        {/* Two beats run along the line and end within 5 s (WCAG 2.2.2). */}
        <path
          d={LINE}
          pathLength="1"
          strokeDasharray="0.06 2"
          className="animate-beat stroke-scene-ink motion-reduce:hidden"
        />
      </svg>
      <p className="heartbeat-title">{brand.scene.title}</p>
      <p className="heartbeat-text">{brand.scene.text}</p>
    </section>
  );
}
