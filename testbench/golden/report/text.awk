# text.awk - what a page says, a line per block and " | " between cells; without style,
# script, pictures.
/<style>/ { skip = 1 }
/<script/ { skip = 1 }
/<svg /   { drawn = 1 }
!skip && !drawn {
    gsub(/<t[dh][ >]/, " | &")
    gsub(/<\/(dt|small)>/, " ")
    gsub(/<[^>]*>/, "")
    gsub(/&nbsp;/, " "); gsub(/&micro;/, "u"); gsub(/&times;/, "x"); gsub(/&ndash;/, "-")
    gsub(/&hellip;/, "..."); gsub(/&#39;/, "'"); gsub(/&quot;/, "\""); gsub(/&lt;/, "<")
    gsub(/&gt;/, ">"); gsub(/&amp;/, "\\&")
    sub(/^ *\|? */, ""); sub(/ *$/, "")
    if ($0 != "") {
        print
    }
}
/<\/svg>/    { drawn = 0 }
/<\/style>/  { skip = 0 }
/<\/script>/ { skip = 0 }
