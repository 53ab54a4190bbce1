import { useEffect, useRef, useState, type ReactNode } from "react";
import { toImageSources } from "./content-links.ts";

type ContentImageProps = {
  /** A link as it was given, ipfs or not. */
  link: string | null;
  /** The size and shape, which stay the same whatever is shown. */
  className: string;
  /** Shown while there is no picture, such as somebody's initials. */
  children: ReactNode;
};

/**
 * Shows a picture from one of the addresses that its link leads to. If one fails, it tries the next, and after the last
 * shows none. Screen readers ignore it, because the words beside it describe it.
 */
export function ContentImage({ link, className, children }: ContentImageProps) {
  const sources = toImageSources(link);
  return (
    <span className={`relative inline-grid shrink-0 place-items-center overflow-hidden ${className}`}>
      {/* Another link starts again with the first source. */}
      <FirstToLoad key={link} sources={sources}>
        {children}
      </FirstToLoad>
    </span>
  );
}

type FirstToLoadProps = { sources: string[]; children: ReactNode };

function FirstToLoad({ sources, children }: FirstToLoadProps) {
  const [tried, setTried] = useState(0);
  const [isLoaded, setIsLoaded] = useState(false);
  const picture = useRef<HTMLImageElement>(null);
  const source = sources[tried];
  const tryNext = () => setTried(tried + 1);

  useEffect(() => {
    // Events from before hydration are lost.
    if (!picture.current?.complete) return;
    if (picture.current.naturalWidth > 0) setIsLoaded(true);
    else setTried(1);
  }, []);

  return (
    <>
      {!isLoaded && children}
      {source && (
        <img
          ref={picture}
          // A new element, so that nothing of the failed one is left.
          key={source}
          src={source}
          alt=""
          loading="lazy"
          decoding="async"
          referrerPolicy="no-referrer"
          onLoad={() => setIsLoaded(true)}
          onError={tryNext}
          className="absolute inset-0 size-full object-cover"
        />
      )}
    </>
  );
}
