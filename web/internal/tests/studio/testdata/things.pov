// Three things on a desk, as a webcam sees them: the camera's film of the screenshots.
//
//   povray things.pov Declare=Thing=0 Declare=Seed=1 ...
//
// Thing chooses the mug (0), the duck (1) or the cactus (2). clock, from 0 to 1, turns the
// thing, moves it and moves the camera, as a hand does; Seed gives another way.
#version 3.7;
#ifndef (Thing) #declare Thing = 0; #end
#ifndef (Seed) #declare Seed = 1; #end
global_settings { assumed_gamma 1.0 max_trace_level 6 }

// wave swings from -1 to 1 with a frequency, another way for each Seed.
#macro wave(f, p) sin(2*pi*(f*clock + p + Seed*0.37)) #end

camera {
  location <0.35*wave(1, 0), 2.55 + 0.25*wave(1, 0.3), -6.2>
  look_at <0.10*wave(2, 0.1), 0.92 + 0.05*wave(1, 0.6), 0>
  right x*31/30
  angle 28.26
}

light_source { <-6, 7, -5> rgb <1, 0.95, 0.86>*1.05 area_light x*2.5, y*2.5, 4, 4 adaptive 0 circular orient }
light_source { <7, 4, -6> rgb <0.62, 0.74, 1>*0.32 shadowless }
light_source { <0, 3, 6> rgb 0.16 shadowless }

// The desk: planks of oak. The wall: plain, lit from the window's side.
#declare Oak = texture {
  pigment {
    wood turbulence 0.06 octaves 4 rotate <3, 88, 2> scale <1, 0.24, 0.24> translate <0.7, 0.31, 0.2>
    color_map { [0 rgb <0.62, 0.42, 0.24>] [0.5 rgb <0.55, 0.35, 0.19>] [0.85 rgb <0.46, 0.28, 0.14>] [1 rgb <0.58, 0.38, 0.21>] }
  }
  finish { diffuse 0.75 specular 0.12 roughness 0.06 ambient 0.14 }
}
plane { y, 0 texture { Oak } }
plane { -z, -7
  pigment { gradient x scale 18 translate -9 color_map { [0 rgb <0.80, 0.83, 0.80>] [1 rgb <0.42, 0.50, 0.52>] } }
  finish { diffuse 0.62 ambient 0.24 }
}

#declare Glaze = finish { diffuse 0.8 specular 0.75 roughness 0.012 ambient 0.14 reflection { 0.02, 0.14 fresnel } conserve_energy }
#declare Rubber = finish { diffuse 0.82 specular 0.45 roughness 0.03 ambient 0.18 }
#declare Matte = finish { diffuse 0.8 specular 0.06 roughness 0.1 ambient 0.16 }

#declare Mug = union {
  difference {
    union {
      cylinder { <0, 0.12, 0>, <0, 1.9, 0>, 0.82 }
      cylinder { <0, 0, 0>, <0, 0.2, 0>, 0.72 }
      torus { 0.72, 0.1 scale <1, 1.2, 1> translate y*0.12 }
    }
    cylinder { <0, 0.12, 0>, <0, 2.2, 0>, 0.75 }
  }
  torus { 0.785, 0.035 translate y*1.9 }
  intersection {
    torus { 0.5, 0.11 rotate x*90 scale <0.95, 1.12, 1> translate <0.92, 1.0, 0> }
    difference { box { <0.3, -1, -1>, <2.5, 3, 1> } cylinder { <0, -1, 0>, <0, 3, 0>, 0.79 } }
  }
  cylinder { <0, 0.12, 0>, <0, 1.7, 0>, 0.76 pigment { rgb <0.20, 0.09, 0.04> } finish { specular 0.5 roughness 0.01 ambient 0.12 reflection 0.06 } }
  texture {
    pigment { gradient y scale 2.1 color_map {
      [0.00 rgb <0.05, 0.20, 0.58>] [0.34 rgb <0.05, 0.20, 0.58>] [0.34 rgb <0.95, 0.93, 0.86>] [0.40 rgb <0.95, 0.93, 0.86>]
      [0.40 rgb <0.93, 0.38, 0.16>] [0.50 rgb <0.93, 0.38, 0.16>] [0.50 rgb <0.95, 0.93, 0.86>] [0.56 rgb <0.95, 0.93, 0.86>]
      [0.56 rgb <0.05, 0.20, 0.58>] [1.00 rgb <0.05, 0.20, 0.58>] } }
    finish { Glaze }
  }
  scale 0.92
}

#declare Yellow = texture { pigment { rgb <1.0, 0.72, 0.03> } finish { Rubber } }
#declare Duck = union {
  // Body, breast and tail in one skin, the head above it.
  blob { threshold 0.4
    sphere { 0, 1, 1 scale <1.55, 1.02, 1.15> translate <0.10, 0.60, 0> }
    sphere { 0, 1, 0.8 scale <0.9, 0.8, 0.9> translate <-0.45, 0.72, 0> }
    sphere { 0, 1, 0.9 scale <0.62, 0.36, 0.5> rotate z*38 translate <1.02, 0.98, 0> }
    sphere { 0, 1, 1 scale 0.5 translate <-0.42, 1.12, 0> }
    texture { Yellow }
  }
  sphere { <-0.46, 1.52, 0>, 0.56 texture { Yellow } }
  #declare Side = -1;
  #while (Side < 2)
    sphere { 0, 1 scale <0.58, 0.34, 0.16> rotate <0, Side*8, 12> translate <0.22, 0.76, Side*0.64> texture { Yellow } }
    sphere { <-0.80, 1.66, Side*0.34>, 0.125 pigment { rgb 1 } finish { Rubber } }
    sphere { <-0.855, 1.675, Side*0.385>, 0.085 pigment { rgb 0.02 } finish { specular 0.9 roughness 0.004 ambient 0.05 } }
    #declare Side = Side + 2;
  #end
  sphere { 0, 0.3 scale <1.1, 0.34, 0.85> rotate z*10 translate <-1.00, 1.44, 0> pigment { rgb <0.95, 0.32, 0.04> } finish { Rubber } }
  sphere { 0, 0.26 scale <0.95, 0.26, 0.8> rotate z*-14 translate <-0.95, 1.34, 0> pigment { rgb <0.80, 0.22, 0.03> } finish { Rubber } }
  translate y*0.02
  scale 0.98
}

#declare Cactus = union {
  difference {
    union {
      cone { <0, 0, 0>, 0.50, <0, 0.78, 0>, 0.70 }
      cylinder { <0, 0.68, 0>, <0, 0.92, 0>, 0.78 }
    }
    cylinder { <0, 0.84, 0>, <0, 2, 0>, 0.68 }
    pigment { bozo scale 0.12 color_map { [0 rgb <0.72, 0.30, 0.15>] [1 rgb <0.66, 0.26, 0.12>] } } finish { Matte }
  }
  cylinder { <0, 0.7, 0>, <0, 0.85, 0>, 0.69 pigment { granite scale 0.3 color_map { [0 rgb <0.22, 0.13, 0.07>] [1 rgb <0.42, 0.28, 0.17>] } } finish { Matte } }
  #declare I = 0;
  #while (I < 12)
    sphere { 0, 1 scale <0.20, 0.86, 0.17> translate <0.36, 0, 0> rotate y*30*I translate y*1.45
      pigment { gradient y scale 1.8 translate y*0.55 color_map { [0 rgb <0.08, 0.32, 0.12>] [1 rgb <0.30, 0.60, 0.24>] } } finish { Matte } }
    #declare J = 0;
    #while (J < 7)
      #declare A = (-62 + J*20.5)*pi/180;
      sphere { <0.36 + 0.205*cos(A), 1.45 + 0.86*sin(A), 0>, 0.026 rotate y*30*I pigment { rgb <0.98, 0.95, 0.80> } finish { Matte } }
      #declare J = J + 1;
    #end
    #declare I = I + 1;
  #end
  sphere { 0, 1 scale <0.40, 0.80, 0.40> translate y*1.45 pigment { rgb <0.10, 0.36, 0.14> } finish { Matte } }
  #declare I = 0;
  #while (I < 9)
    sphere { 0, 1 scale <0.17, 0.045, 0.085> translate x*0.17 rotate z*32 rotate y*40*I translate y*2.20
      pigment { rgb <0.93, 0.16, 0.46> } finish { Matte } }
    #declare I = I + 1;
  #end
  sphere { <0, 2.25, 0>, 0.085 pigment { rgb <1, 0.80, 0.15> } finish { Matte } }
  scale 0.88
}

object {
  #switch (Thing)
    #case (0) Mug rotate y*(20 + 32*wave(1, 0.2)) #break
    #case (1) Duck rotate y*(-6 + 26*wave(1, 0.2)) #break
    #else Cactus rotate y*(90*clock)
  #end
  rotate <4*wave(1, 0.5), 0, 4*wave(2, 0.4)>
  scale 0.94 + 0.09*wave(1, 0.7)
  translate <0.22*wave(1, 0.9), 0.03, 0.3*wave(1, 0.45)>
}
