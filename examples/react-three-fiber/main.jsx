import { Canvas, useThree } from '@react-three/fiber';
import { Physics } from '@react-three/rapier';
import { SharedRoom, useRoom } from 'handover/react';
import { StrictMode, Suspense, useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Yard } from './yard.jsx';

/** `npx --package=peer peerjs --port 9000` runs a broker on this machine. */
const broker = new URLSearchParams(location.search).get('broker') ?? 'http://localhost:9000/';

function Page() {
  const [isIn, setIsIn] = useState(true);
  const [news, setNews] = useState('Starting');
  const leave = () => {
    setIsIn(!isIn);
    setNews(isIn ? 'You have left the room.' : 'Coming back');
  };
  return (
    <>
      <Canvas shadows="percentage" camera={{ position: [0, 4, 8], fov: 50 }}>
        <Suspense>{isIn && <Game tell={setNews} />}</Suspense>
      </Canvas>
      <div className="news">
        <p role="status">{news}</p>
        <button onClick={leave}>{isIn ? 'Leave' : 'Come back'}</button>
      </div>
    </>
  );
}

/** The room steps the world, so Physics is paused. Without a room in the page's address a new one opens. */
function Game({ tell }) {
  return (
    <Physics paused>
      <SharedRoom
        link={location.href}
        broker={broker}
        onRoom={(room) => history.replaceState(null, '', room.link(location.href))}
        onError={(error) => tell(error.message)}
      >
        <Yard />
        <Players tell={tell} />
      </SharedRoom>
    </Physics>
  );
}

/** Says who is there. */
function Players({ tell }) {
  const room = useRoom();
  const { camera, scene } = useThree();
  const others = room === null ? 0 : room.players.length - 1;
  useEffect(() => {
    if (room === null) return;
    const invitation = 'Send this page’s address to a friend. Click a ball to kick it.';
    tell(others === 0 ? invitation : `You play with ${others}. Click a ball to kick it.`);
    // For whoever looks from outside: the page's test.
    globalThis.game = { room, camera, scene };
  }, [room, others, camera, scene, tell]);
  return null;
}

createRoot(document.querySelector('#page')).render(
  <StrictMode>
    <Page />
  </StrictMode>,
);
