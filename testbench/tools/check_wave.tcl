# Says what GTKWave made of a save file: "gtkwave -S check_wave.tcl FILE.gtkw".
#
#   row|NAME              each row, from the top
#   at|TIME|PATH|VALUE    each row's value at each time of the variable WAVE_TIMES;
#                         PATH: the groups it lies in and its name, between slashes
#   mark|LETTER|TIME      each named marker that is set
#   end|TIME              the end of the dump
#
# Rows in closed groups have no value.

proc rows {} {
    set n [gtkwave::getTotalNumTraces]
    for {set i 0} {$i < $n} {incr i} {
        puts "row|[gtkwave::getTraceNameFromIndex $i]"
    }
}

proc values {time} {
    set groups {}
    set n [gtkwave::getTotalNumTraces]
    gtkwave::setMarker $time
    for {set i 0} {$i < $n} {incr i} {
        set name [gtkwave::getTraceNameFromIndex $i]
        set flags [gtkwave::getTraceFlagsFromIndex $i]
        if {$flags & 0x1000000} {
            set groups [lrange $groups 0 end-1]
            continue
        }
        set path [join [concat $groups [list $name]] /]
        puts "at|$time|$path|[gtkwave::getTraceValueAtMarkerFromIndex $i]"
        if {$flags & 0x800000} {
            lappend groups $name
        }
    }
}

proc marks {} {
    foreach letter {A B C D E F G H I J K L M N O P Q R S T U V W X Y Z} {
        set time [gtkwave::getNamedMarker $letter]
        if {$time >= 0} {
            puts "mark|$letter|$time"
        }
    }
}

rows
marks
if {[info exists ::env(WAVE_TIMES)]} {
    foreach time $::env(WAVE_TIMES) {
        values $time
    }
}
puts "end|[gtkwave::getMaxTime]"
exit
