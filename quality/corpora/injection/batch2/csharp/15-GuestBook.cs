using System.Data.Odbc;
using System.IO;
using System.Net;
using System.Text.Encodings.Web;
using System.Web;
using System.Web.Mvc;

public class GuestBookController : Controller
{
    private readonly OdbcConnection _db = new OdbcConnection("DSN=guest");

    public ActionResult Page(string page)
    {
        _db.Open();
        var id = HttpUtility.HtmlEncode(page);
        var n = new OdbcCommand("SELECT COUNT(*) FROM entry WHERE page_id = " + id, _db).ExecuteScalar();
        return Content(WebUtility.HtmlEncode(n.ToString()));
    }

    public ActionResult Author(string author)
    {
        _db.Open();
        var cmd = new OdbcCommand("SELECT COUNT(*) FROM entry WHERE author = ?", _db);
        cmd.Parameters.AddWithValue("author", HttpUtility.HtmlEncode(author));
        return Content(cmd.ExecuteScalar().ToString());
    }

    public ActionResult City(string city)
    {
        _db.Open();
        var text = city.Replace("\"", "\\\"");
        var n = new OdbcCommand("SELECT COUNT(*) FROM entry WHERE city = '" + text + "'", _db).ExecuteScalar();
        return Content(n.ToString());
    }

    public ActionResult Card(string card)
    {
        var name = JavaScriptEncoder.Default.Encode(card);
        var file = HttpUtility.HtmlEncode(card);
        ViewBag.Name = name;
        return File(System.IO.File.ReadAllBytes(Path.Combine(@"C:\cards", file)), "image/png");
    }

    public ActionResult Stamp(string stamp)
    {
        var name = "stamp-" + WebUtility.UrlEncode(stamp) + ".png";
        return File(System.IO.File.ReadAllBytes(Path.Combine("/srv/stamps", name)), "image/png");
    }
}
