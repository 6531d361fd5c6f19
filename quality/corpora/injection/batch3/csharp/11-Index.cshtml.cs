using System.Text;
using Microsoft.AspNetCore.Mvc;
using Microsoft.AspNetCore.Mvc.RazorPages;
using Microsoft.Data.Sqlite;

namespace Parts.Pages;

public class IndexModel : PageModel
{
    [BindProperty(SupportsGet = true)] public string? Maker { get; set; }
    [BindProperty(SupportsGet = true)] public string? Colour { get; set; }
    [BindProperty(SupportsGet = true)] public int MaxPrice { get; set; } = 1000;

    public List<string> Names { get; } = new();
    public long Cheap { get; private set; }

    public void OnGet()
    {
        using var con = new SqliteConnection("Data Source=/var/lib/parts/parts.db");
        con.Open();

        var sb = new StringBuilder("SELECT name FROM part WHERE 1=1");
        if (!string.IsNullOrEmpty(Maker))
            sb.Append(" AND maker = '").Append(Maker).Append('\'');
        if (!string.IsNullOrEmpty(Colour))
            sb.AppendFormat(" AND colour = '{0}'", Colour.Trim());
        using var cmd = new SqliteCommand(sb.ToString(), con);
        using var reader = cmd.ExecuteReader();
        while (reader.Read())
            Names.Add(reader.GetString(0));

        var cheap = new StringBuilder();
        cheap.Append("SELECT count(*) FROM part WHERE price < ").Append(MaxPrice);
        using var count = con.CreateCommand();
        count.CommandText = cheap.ToString();
        Cheap = (long)count.ExecuteScalar()!;
    }

    public IActionResult OnPostRenameMaker(string from, string to)
    {
        using var con = new SqliteConnection("Data Source=/var/lib/parts/parts.db");
        con.Open();
        var text = new StringBuilder().Append("UPDATE part SET maker = '").Append(to).Append("' WHERE maker = $from");
        using var cmd = con.CreateCommand();
        cmd.CommandText = text.ToString();
        cmd.Parameters.AddWithValue("$from", from);
        cmd.ExecuteNonQuery();
        return RedirectToPage();
    }

    public IActionResult OnPostRemove(string name)
    {
        using var con = new SqliteConnection("Data Source=/var/lib/parts/parts.db");
        con.Open();
        using var cmd = con.CreateCommand();
        cmd.CommandText = "DELETE FROM part WHERE name = $name";
        cmd.Parameters.AddWithValue("$name", name);
        cmd.ExecuteNonQuery();
        return RedirectToPage();
    }
}
