import Reports
import Testing

@Test func textIsSafeBetweenTagsAndInAttributes() {
    #expect(htmlText("a<b>&\"c'") == "a&lt;b&gt;&amp;&quot;c&#39;")
}
