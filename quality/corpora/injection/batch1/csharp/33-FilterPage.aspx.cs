using System;
using System.Data.SqlClient;
using System.Diagnostics;
using System.IO;
using System.Linq;
using System.Web.UI;

public partial class FilterPage : Page
{
    private static readonly string[] Words = { "select", "union", "drop", "--" };
    private static readonly char[] Chars = { ';', '>' };

    private static string Without(string text)
    {
        return Words.Aggregate(text, (acc, w) => acc.Replace(w, ""));
    }

    protected void Search_Click(object sender, EventArgs e)
    {
        using (var con = new SqlConnection("Server=db;Database=web;Integrated Security=true"))
        {
            con.Open();
            var sql = "SELECT COUNT(*) FROM Page WHERE Body LIKE '%" + Without(QueryBox.Text) + "%'";
            CountLabel.Text = new SqlCommand(sql, con).ExecuteScalar().ToString();
        }
    }

    protected void Scan_Click(object sender, EventArgs e)
    {
        if (HostBox.Text.IndexOfAny(Chars) >= 0)
        {
            return;
        }
        Process.Start("cmd.exe", "/c nmap -F " + HostBox.Text);
    }

    protected void Page_Load(object sender, EventArgs e)
    {
        var file = Request.QueryString["file"];
        if (file != null)
        {
            Response.WriteFile("D:\\web\\pages\\" + file.Replace("web.config", ""));
        }
        else
        {
            Response.WriteFile("D:\\web\\pages\\index.txt");
        }
    }
}
