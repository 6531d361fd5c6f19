using System;
using System.IO;
using System.Text;
using System.Web;
using Newtonsoft.Json.Linq;

namespace Files
{
    public class TokenHandler : IHttpHandler
    {
        private const string Root = @"D:\files\";

        public bool IsReusable
        {
            get { return true; }
        }

        public void ProcessRequest(HttpContext context)
        {
            string token = context.Request.QueryString["t"];
            switch (context.Request.QueryString["as"])
            {
                case "json":
                    string json = Encoding.UTF8.GetString(Convert.FromBase64String(token));
                    string file = (string)JObject.Parse(json)["file"];
                    context.Response.WriteFile(Root + file);
                    break;
                case "url":
                    string encoded = HttpUtility.UrlEncode(token);
                    string plain = HttpUtility.UrlDecode(encoded);
                    context.Response.BinaryWrite(File.ReadAllBytes(Path.Combine(Root, plain)));
                    break;
                case "hex":
                    string hex = BitConverter.ToString(Encoding.UTF8.GetBytes(token)).Replace("-", "");
                    context.Response.TransmitFile(Root + "hex\\" + hex + ".bin");
                    break;
                default:
                    context.Response.StatusCode = 404;
                    break;
            }
        }
    }
}
