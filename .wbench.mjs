// node --import tsx bench.mjs TREE
const T=process.argv[2];
const {createScene}=await import(T+'/src/core/world/scene.ts');
const {createRapierSimulation,loadPhysics}=await import(T+'/src/physics/rapier-simulation.ts');
const {record}=await import(T+'/src/tools/wire/recording.ts');
const {RecordedStream}=await import(T+'/src/tools/wire/recorded-stream.ts');
const {RangeWriter,RangeReader}=await import(T+'/src/core/wire/coder/range-coder.ts');
await loadPhysics();
const scene=createScene({name:'pile',seed:5,count:120});
const rec=record(scene,createRapierSimulation(scene),300,5);
const run=()=>{const st=new RecordedStream(rec,{age:6,authority:true,relayed:0});const w=new RangeWriter(40000);
 for(let t=0;t<6;t++)st.skip(t);const out=[];let n=0;const t0=process.cpuUsage().user;
 for(let t=6;t<300;t++){w.clear();st.code(w,t,'write');out.push(w.finish().slice());n+=st.updateCount;}
 const t1=process.cpuUsage().user;
 const rd=new RecordedStream(rec,{age:6,authority:true,relayed:0});const r=new RangeReader();
 for(let t=0;t<6;t++)rd.skip(t);
 for(let t=6;t<300;t++){r.start(out[t-6]);rd.code(r,t,'read');if(!r.atEnd())throw 1;}
 const t2=process.cpuUsage().user;let sum=0,len=0;for(const b of out){len+=b.length;for(const x of b)sum=(sum*31+x)|0;}
 return [(t1-t0)/n,(t2-t1)/n,len,sum];};
let best=[1e9,1e9],last;for(let i=0;i<25;i++){last=run();best=[Math.min(best[0],last[0]),Math.min(best[1],last[1])];}
console.log(T,'write us/update',best[0].toFixed(3),'read',best[1].toFixed(3),last.slice(2).join(' '));
